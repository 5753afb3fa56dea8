/** The encoders and URL exist in every JavaScript runtime and are pure; nothing else of the platform is declared here. */
declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean })
  decode(bytes?: Uint8Array, options?: { stream?: boolean }): string
}
declare class TextEncoder {
  encode(text?: string): Uint8Array<ArrayBuffer>
}
declare class URL {
  constructor(url: string)
  readonly protocol: string
  readonly username: string
  readonly password: string
  readonly host: string
  readonly hostname: string
  readonly port: string
  readonly origin: string
  readonly pathname: string
  readonly search: string
  readonly hash: string
}
