/** Names from elsewhere: what hides is shown, what is read stays. */
import { describe, expect, test } from 'vitest'
import { visible } from '../../../src/renderer/text/visible.ts'

describe('T4.8 visible', () => {
  test.each([
    ['exe.\u202egnp', 'exe.⟨U+202E⟩gnp'],
    ['Cl\u200baude', 'Cl⟨U+200B⟩aude'],
    ['\ufeffClaude', '⟨U+FEFF⟩Claude'],
    ['a\u2066b\u2069', 'a⟨U+2066⟩b⟨U+2069⟩'],
    ['a\u0000b\nc\u001b[31m', 'a⟨U+0000⟩b⟨U+000A⟩c⟨U+001B⟩[31m'],
    ['a\u2028b', 'a⟨U+2028⟩b'],
    ['\u{e0041}x', '⟨U+E0041⟩x'],
    ['\ud800x', '⟨U+D800⟩x'],
    ['a\u200db', 'a⟨U+200D⟩b'],
    ['\u3164', '⟨U+3164⟩'],
  ])('shows what hides in %j', (text, shown) => expect(visible(text)).toBe(shown))

  test.each(['Claude, work', '工作账号', 'שלום', 'مرحبا', '👩‍👩‍👧‍👦', '❤️', 'é', 'é', '<b>&amp;</b>', '–'])(
    'leaves %s as it is',
    (text) => expect(visible(text)).toBe(text),
  )
})
