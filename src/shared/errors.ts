/**
 * The one catalogue of error codes, for HTTP refusals, the contract and the command line.
 * Each has a status, one sentence and one next step; `{name}` is filled from the values given.
 * `again` says whether the same request may succeed by itself within a minute (access.md, "How a refusal
 * reaches the person").
 */
export interface ErrorEntry {
  readonly status: number
  readonly sentence: string
  readonly next: string
  readonly again: boolean
}

const entry = (status: number, sentence: string, next: string, again = false): ErrorEntry => ({
  status,
  sentence,
  next,
  again,
})

export const catalogue = {
  // Who may call (access.md, order of checks).
  origin_refused: entry(403, 'This address answers only local programs.', 'Use the address that Pointsman shows.'),
  no_credentials: entry(401, 'No valid access key was sent.', 'Copy an access key from Pointsman into this client.'),
  not_served: entry(404, 'Pointsman does not serve {method} {path}.', 'Use one of: {served}.'),
  access_key_unbound: entry(
    403,
    'The access key {label} {why}.',
    'Give the key a policy, or an enabled budget, under Profiles, Access keys.',
  ),
  access_credential_inactive: entry(
    403,
    'The access key {label} is {state}.',
    'Enable it under Profiles, Access keys, or use another key.',
  ),
  access_scope_denied: entry(
    403,
    'The access key {label} may not use {what}.',
    'Widen the key under Profiles, Access keys, or use another key.',
  ),
  access_concurrency_exceeded: entry(
    429,
    '{who} already has {limit} calls running.',
    'Wait for one to end, or raise its limit.',
    true,
  ),
  access_unavailable: entry(
    503,
    'The access keys can not be read, so no call is let through.',
    'Run `pointsman doctor`.',
    true,
  ),
  billing_quota_exhausted: entry(429, 'The budget {label} is used up.', 'Raise it, or wait for its next cycle.'),
  billing_price_unavailable: entry(503, 'No candidate for {model} has a trusted price.', 'Add a price for the model.'),
  upstream_binding_unavailable: entry(
    503,
    'The account that this key is bound to can not serve: {why}.',
    'Fix that account, or change the key’s policy.',
  ),

  // What was asked.
  bad_request: entry(400, 'The request could not be read: {why}.', 'Send a plain HTTP/1.1 request.'),
  headers_too_many: entry(431, 'The request has more than 200 headers.', 'Send fewer headers.'),
  expectation_failed: entry(417, 'Only the expectation 100-continue is known.', 'Leave the Expect header out.'),
  websocket_not_served: entry(426, 'WebSocket is not served here.', 'Use HTTP; the client falls back by itself.'),
  websocket_connection_limit_reached: entry(
    400,
    'This WebSocket has been open for 60 minutes.',
    'Open a new one and send the whole conversation; the Codex CLI does so by itself.',
  ),
  frame_not_served: entry(400, 'The frame type {type} is not served.', 'Send response.create frames.'),
  body_too_large: entry(413, 'The body is larger than {limit}.', 'Send a smaller body or raise the limit in Settings.'),
  body_timeout: entry(408, 'The body did not arrive in time.', 'Send the request again.', true),
  body_incomplete: entry(400, 'The body ended before its stated length.', 'Send the request again.'),
  body_type_refused: entry(415, 'The body must be application/json.', 'Set content-type to application/json.'),
  encoding_unknown: entry(415, 'The content-encoding {encoding} is not known.', 'Use gzip, br, deflate, zstd or none.'),
  encoding_corrupt: entry(400, 'The compressed body could not be read.', 'Send it again, or without compression.'),
  body_not_json: entry(400, 'The body is not a JSON object: {why}.', 'Send one JSON object.'),
  duplicate_field: entry(400, 'The body has the field {field} twice.', 'Send it once.'),
  local_busy: entry(503, 'As many calls are running as can be served.', 'Try again in a moment.', true),

  // Which account.
  model_not_served: entry(404, 'No source serves the model {model} here.', 'Add it to a source, or ask for: {served}.'),
  all_exhausted: entry(429, 'Every account for {model} is used up: {why}.', 'Wait until {when}, or add an account.'),
  none_available: entry(
    503,
    'No account for {model} can serve now: {why}.',
    'See the Models tab for each reason.',
    true,
  ),
  routing_paused: entry(503, 'Routing is paused.', 'Resume it from the tray or with `pointsman rpc app.resume`.'),

  state_elsewhere: entry(
    400,
    'The earlier answer or container that this request builds on lies with {label}, which can not serve now.',
    'Send the whole conversation instead, or wait for that account.',
  ),

  not_translatable: entry(
    400,
    'The request can not be carried to {label}: {why} ({field}).',
    'Leave that out, or ask for a model that speaks this client’s dialect.',
  ),

  // What came back.
  upstream_unreachable: entry(502, '{host} could not be reached: {why}.', 'Check the network or the proxy.', true),
  tls_untrusted: entry(502, 'The certificate of {host} is not trusted: {why}.', 'Check the network, proxy or clock.'),
  upstream_lost_before_answer: entry(
    502,
    'The connection to {host} was lost after the request was sent; whether it was answered is unknown.',
    'Send the request again.',
    true,
  ),
  answer_broken: entry(502, 'The answer broke off before its end.', 'Send the request again.', true),
  upstream_silent: entry(504, '{host} did not begin to answer within {minutes} minutes.', 'Send it again.', true),
  upstream_malformed: entry(
    502,
    '{host} sent an answer that is not valid HTTP.',
    'Try again; tell the vendor if it stays.',
    true,
  ),
  upstream_redirected: entry(502, '{host} answered with a redirect, which is never followed.', 'Check the base URL.'),
  account_refused: entry(503, '{label} was refused by its vendor: {why}.', 'Sign in to {label} again.'),
  needs_sign_in: entry(503, '{label} is signed out: {why}.', 'Sign in again.'),
  token_unavailable: entry(
    503,
    'The sign-in of {label} could not be renewed just now: {why}.',
    'Wait a moment; Pointsman tries again by itself.',
    true,
  ),
  models_unreadable: entry(
    502,
    'The model list of {label} could not be read: {why}.',
    'Try again, or enter the models by hand.',
  ),
  key_rejected: entry(503, 'The API key of {label} was rejected by its vendor.', 'Enter a valid key for {label}.'),
  test_failed: entry(
    502,
    '{label} did not answer the test: {why}.',
    'Check its address, its key and the model’s name.',
  ),
  translation_test_failed: entry(
    502,
    '{label} answered, but a tool call translated from {from} to {to} failed: {why}.',
    'Clients of that dialect need another backend, or this one a model that calls tools.',
  ),

  // The vault.
  vault_unavailable: entry(
    503,
    'The vault can not be opened: {why}.',
    'Mend that, or start with --vault passphrase, file or memory.',
  ),
  vault_locked: entry(503, 'The vault is locked: {why}.', 'Unlock it, then run `pointsman rpc vault.unlock {}`.'),
  vault_hung: entry(503, 'The keychain does not answer: {why}.', 'Answer its prompt or restart it, then try again.'),
  vault_key_missing: entry(
    503,
    'The key of this vault (made with {kind}) is not on this machine.',
    'Bring the key back, or sign in to each account again; nothing was deleted.',
  ),
  vault_damaged: entry(
    503,
    'The vault record of {label} could not be decrypted.',
    'Sign in to it again; the record was kept.',
  ),
  vault_write_failed: entry(
    503,
    'The vault could not be saved: {why}.',
    'Free disk space; the new token is kept in memory.',
  ),

  // The program and its files.
  node_too_old: entry(
    500,
    'This is Node {found}; Pointsman needs Node {needed} or newer.',
    'Run it with `npm start`, which brings its own.',
  ),
  sqlite_too_old: entry(500, 'SQLite {found} is older than {needed}, which can lose committed rows.', 'Run `npm ci`.'),
  store_newer: entry(
    500,
    '{file} was made by a newer version of Pointsman.',
    'Update Pointsman; the file was not touched.',
  ),
  store_unreadable: entry(500, '{file} can not be opened: {why}.', 'Check the rights of the data folder.'),
  store_write_failed: entry(500, 'The change could not be saved: {why}.', 'Free disk space or check the data folder.'),
  data_folder_unusable: entry(
    500,
    'The data folder can not be used: {why}.',
    'Give your user the right to write there.',
  ),
  data_folder_in_use: entry(
    500,
    'Another Pointsman already uses this data folder.',
    'Use that one, or another --data-dir.',
  ),
  port_in_use: entry(500, 'Port {port} on {host} is already taken{by}.', 'End that program or choose another --port.'),
  unsafe_environment: entry(
    500,
    'Pointsman does not start with {what}.',
    'Remove it from the environment and start again.',
  ),
  not_running: entry(500, 'No Pointsman is running on this data folder.', 'Start it with `pointsman serve`.'),

  // Clients' own configuration.
  client_config_unsafe: entry(
    400,
    'The file can not be changed safely: {why}.',
    'Change it by hand as the preview shows.',
  ),

  // Commands and the contract.
  usage: entry(400, '{why}.', 'See `pointsman --help`.'),
  invalid_input: entry(400, 'The input is not valid: {why}.', 'Correct it and try again.'),
  not_found: entry(404, 'There is no {what}.', 'List what exists and try again.'),
  already_exists: entry(409, '{what} exists already.', 'Choose another name, or change the existing one.'),
  conflict: entry(409, '{what} was changed meanwhile.', 'Look at it again, then repeat the change.'),
  host_not_allowed: entry(
    400,
    '{host} may not receive this credential.',
    'Official credentials go to their vendor only.',
  ),
  credential_unreadable: entry(400, 'The credential could not be read: {why}.', 'Use the vendor’s own file or token.'),
  sign_in_failed: entry(400, 'The sign-in did not succeed: {why}.', 'Start it again.'),
  vendor_program_missing: entry(
    404,
    '{program} was not found on this machine.',
    'Install it with `npm install -g @anthropic-ai/claude-code`, or paste a token that `claude setup-token` made elsewhere.',
  ),
  terms_not_accepted: entry(
    409,
    'The terms for {what} have not been accepted.',
    'Read them in the window or in `pointsman accounts sign-in`, then repeat with acceptTerms.',
  ),
  usage_unreadable: entry(
    502,
    '{label} did not tell its usage: {why}.',
    'The last values stay; try again later.',
    true,
  ),
  too_soon: entry(429, 'That was done less than {seconds} s ago.', 'Wait a moment and try again.', true),
  internal: entry(
    500,
    'Something went wrong inside Pointsman (log id {logId}).',
    'Look in the log, and tell us if it stays.',
  ),
} as const satisfies Record<string, ErrorEntry>

export type ErrorCode = keyof typeof catalogue
export type ErrorValues = Readonly<Record<string, string | number>>

/** An expected failure: stable code, one sentence, one next step. Never holds a secret, a prompt or a key. */
export interface Problem {
  readonly code: ErrorCode
  readonly status: number
  readonly sentence: string
  readonly next: string
  readonly again: boolean
}

const fill = (text: string, values: ErrorValues): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''))

/** Builds a problem from the catalogue; a value that is missing is left empty. */
export function problem(code: ErrorCode, values: ErrorValues = {}): Problem {
  const { status, sentence, next, again } = catalogue[code]
  return { code, status, sentence: fill(sentence, values), next: fill(next, values), again }
}

/** Carries a problem through code that can only throw: I/O edges, start-up and the contract. */
export class PointsmanError extends Error {
  readonly problem: Problem

  constructor(codeOrFound: ErrorCode | Problem, values: ErrorValues = {}, options?: { cause?: unknown }) {
    const made = typeof codeOrFound === 'string' ? problem(codeOrFound, values) : codeOrFound
    super(made.sentence, options)
    this.name = 'PointsmanError'
    this.problem = made
  }
}
