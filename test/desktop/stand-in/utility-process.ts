/** The stand-in's utility processes: plain children of Node that speak lines. */
import { spawn } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { createInterface } from 'node:readline'

class UtilityProcess extends EventEmitter {
  readonly #child

  constructor(script: string) {
    super()
    this.#child = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'ignore'] })
    createInterface({ input: this.#child.stdout }).on('line', (line) => this.emit('message', line))
    this.#child.on('error', () => this.emit('exit', 1))
    this.#child.on('exit', (code) => this.emit('exit', code ?? 1))
    this.#child.stdin.on('error', () => {})
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  postMessage(text: unknown): void {
    this.#child.stdin.write(`${String(text)}\n`)
  }

  kill(): boolean {
    return this.#child.kill()
  }
}

export const utilityProcess = { fork: (script: string): UtilityProcess => new UtilityProcess(script) }
