/** The two encoders exist in every JavaScript runtime and are pure; nothing else of the platform is declared here. */
declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean })
  decode(bytes?: Uint8Array, options?: { stream?: boolean }): string
}
declare class TextEncoder {
  encode(text?: string): Uint8Array<ArrayBuffer>
}
