/** Names from elsewhere as they are: what is invisible or turns the line around is shown as its number (T4.8). */

/** Controls, separators, what has no width or turns direction, lone surrogates; an emoji's own joints are below. */
const hidden = /(?![\uFE0F\u200D])[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u2800\uFFF9-\uFFFB]/gu

/** Joints that belong to no emoji. */
const loose = /(?<!\p{Extended_Pictographic}\uFE0F?)[\u200D\uFE0F]/gu

const numbered = (character: string): string =>
  `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`

export const visible = (text: string): string => text.replace(hidden, numbered).replace(loose, numbered)
