/** No file imports its way back to itself; only the stages of the flow know one another, by type. */
import { expect, test } from 'vitest'
import { sourceFiles } from './tree.ts'

const imports = new Map(sourceFiles('src').map(({ path, imports }) => [path, imports]))

/** Groups of files that all reach one another (Tarjan). */
function circles(of: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const found: string[][] = []
  const numbers = new Map<string, number>()
  const path: string[] = []
  const visit = (file: string): number => {
    const number = numbers.size
    numbers.set(file, number)
    let low = number
    path.push(file)
    for (const next of of.get(file) ?? []) {
      if (!of.has(next)) continue
      if (!numbers.has(next)) low = Math.min(low, visit(next))
      else if (path.includes(next)) low = Math.min(low, numbers.get(next) ?? low)
    }
    if (low === number) {
      const circle = path.splice(path.indexOf(file))
      if (circle.length > 1) found.push(circle.sort())
    }
    return low
  }
  for (const file of of.keys()) if (!numbers.has(file)) visit(file)
  return found
}

test('there is no circle but that of the stages', () => {
  expect(imports.size).toBeGreaterThan(400)
  const strays = circles(imports).filter((circle) => !circle.every((path) => path.startsWith('src/main/flow/')))
  expect(strays).toEqual([])
})

test('negative control: a circle of three is seen, a chain is not', () => {
  const of = new Map([
    ['a', ['b']],
    ['b', ['c', 'd']],
    ['c', ['a']],
    ['d', ['e']],
    ['e', []],
  ])
  expect(circles(of)).toEqual([['a', 'b', 'c']])
})
