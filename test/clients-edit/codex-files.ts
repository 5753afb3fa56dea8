/** Texts of a Codex `config.toml`: made by hand and generated, and what such a text means. */
import fc from 'fast-check'
import { parse } from 'smol-toml'

export const handMade: readonly [string, string][] = [
  ['an empty file', ''],
  ['only a comment', '# nothing yet'],
  ['no newline at the end', 'model = "gpt-5.5"'],
  ['CRLF line ends', 'model = "gpt-5.5"\r\n\r\n[tui]\r\nnotifications = true\r\n'],
  ['a byte order mark', '\uFEFFmodel = "gpt-5.5"\n'],
  ['a byte order mark and a provider', '\uFEFFmodel_provider = "openai"\n'],
  ['odd spacing', '  model   =   "x"   # why\n\n\n\t[ tui ]\n a=1\n'],
  [
    'another provider with a comment',
    'model_provider = "azure" # at work\nmodel = "m"\n\n[model_providers.azure]\nname = "Azure"\n',
  ],
  ['a provider in single quotes', "model_provider = 'azure'\n"],
  ['a model_provider inside a profile', '[profiles.a]\nmodel_provider = "azure"\n'],
  ['an array of tables', '[[hooks]]\nname = "a"\n[[hooks]]\nname = "b"\n'],
  ['a multi-line string that looks like a header', 'text = """\n[model_providers.pointsman]\nname = "no"\n"""\n'],
  ['a multi-line array', 'list = [\n  "a",\n  # [tui]\n  "b",\n]\n'],
  ['dates and numbers', 'at = 2026-11-30T00:00:00Z\nbig = 9007199254740993\nf = 1e3\n'],
  [
    'our provider from before',
    'model_provider = "pointsman"\n\n[model_providers.pointsman]\nname = "Pointsman"\nbase_url = "http://127.0.0.1:1/codex/v1"\nwire_api = "responses"\nexperimental_bearer_token = "pk_old"\n\n[tui]\na = 1\n',
  ],
  ['an inline provider table', 'model_providers = { x = { name = "X" } }\n'],
  ['projects with paths as keys', '[projects."/home/a b"]\ntrust_level = "trusted"\n'],
  ['its own address', 'openai_base_url = "https://proxy.example.test/v1" # at work\nmodel = "m"\n'],
  ['an address in single quotes', "openai_base_url='https://proxy.example.test/v1'\n"],
  ['the built-in provider by name', 'model_provider = "openai"\n\n[tui]\na = 1\n'],
  ['dotted keys at the root', 'tui.notifications = true\nhistory.persistence = "none"\n'],
  ['quoted keys', '"model" = "m"\n"a b" = 1\n'],
  ['tables of tables', '[mcp_servers.docs]\ncommand = "x"\nargs = ["a"]\n[mcp_servers.docs.env]\nA = "1"\n'],
  ['a key of the same name in a table', '[profiles.x]\nopenai_base_url = "https://other.example.test"\n'],
  ['text beyond ASCII', '# 中文 ü\nname = "日本語"\n'],
]

const line = fc.oneof(
  fc.constantFrom(
    '',
    '# a comment',
    '   ',
    'model = "gpt-5.5"',
    'a.b = 1',
    "path = 'C:\\x'",
    'list = [1, 2] # two',
    '[tui]',
    '[profiles.x]',
    '[model_providers.azure]',
    'name = "Azure"',
  ),
)

export const generated = fc
  .tuple(fc.array(line, { maxLength: 14 }), fc.constantFrom('\n', '\r\n'), fc.boolean())
  .map(([list, end, final]) => list.join(end) + (final ? end : ''))

export function meaning(text: string): unknown {
  const { model_providers: providers, ...rest } = parse(text.replace(/^\uFEFF/, ''), { integersAsBigInt: 'asNeeded' })
  return { ...rest, ...(Object.keys((providers as object) ?? {}).length > 0 ? { providers } : {}) }
}
