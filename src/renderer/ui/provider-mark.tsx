/** One letter in a tile that tells kinds of sources apart; decoration, the name stands beside it. */
import '../styles/provider-mark.css'

const letters: Readonly<Record<string, string>> = {
  claude: 'C',
  codex: 'X',
  'anthropic-compatible': 'A',
  'openai-compatible': 'K',
  ollama: 'O',
}

export function ProviderMark({ provider }: { readonly provider: string }) {
  return (
    <span className="provider-mark" aria-hidden="true">
      {letters[provider] ?? provider.slice(0, 1).toUpperCase()}
    </span>
  )
}
