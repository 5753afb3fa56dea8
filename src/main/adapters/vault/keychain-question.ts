/** What the keychain's helper process is asked and what it answers: one JSON line each way, never in argv. */

/** The item's service; the account is `vault-key:KEYID`. */
export const keychainService = 'pointsman'

export type KeychainQuestion =
  | { readonly act: 'find'; readonly account: string }
  | { readonly act: 'keep'; readonly account: string; readonly value: string }
  | { readonly act: 'forget'; readonly account: string }
  /** The item of a vendor's CLI, as its own keychain library names it. */
  | { readonly act: 'read-login'; readonly service: string; readonly account: string }
  | { readonly act: 'keep-login'; readonly service: string; readonly account: string; readonly value: string }

/** The call that failed; it says more than its text, which may be in any language. */
export type KeychainCall = 'load' | 'get' | 'set' | 'probe' | 'delete' | 'read-login' | 'keep-login'

export type KeychainAnswer =
  | { readonly kind: 'value'; readonly value: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly call: KeychainCall; readonly text: string }
