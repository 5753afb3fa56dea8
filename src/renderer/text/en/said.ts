/** The program speaks English itself. */
import { type Said, saidBy } from '../said.ts'
import { ui } from './ui.ts'

const nothing = () => null

export const said: Said = saidBy(ui.unreachable, ' ', { sentence: nothing, ofError: nothing, code: nothing })
