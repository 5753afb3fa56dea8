/** What is measured side by side: nothing in between, nginx, the bare relay, http-proxy-3, and ours with and without rows. */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { promisify } from 'node:util'
import { models } from './cases.mjs'
import { gatewayCases, gateways } from './gateways.mjs'
import { findProgram, freePort, project, proxyCore, start, stop } from './machine.mjs'

const run = promisify(execFile)
const program = join(project, 'out/main/headless.js')

/** A competitor: its process, its port, and the headers that a client needs there. */
class Competitor {
  name
  port = 0
  headers = []
  process = null
  /** The cases it is measured in; null: all. */
  cases = null
  /** What stands before a model's name in its bodies. */
  prefix = ''
  #folder
  #command
  #environment

  constructor(name, folder, command, environment = {}) {
    this.name = name
    this.#folder = folder
    this.#command = command
    this.#environment = environment
  }

  get id() {
    return this.process.pid
  }

  get log() {
    return join(this.#folder, `${this.name}.log`)
  }

  /** Starts it and waits for its first answer; returns milliseconds from the start to that. */
  async start(body) {
    this.port ||= await freePort()
    const began = performance.now()
    this.process = start(this.#command(this.port), proxyCore, {
      log: this.log,
      env: { ...this.#environment, PORT: String(this.port) },
    })
    while ((await statusOf(this, prefixed(body, this.prefix))) !== 200) {
      if (this.process.exitCode !== null || performance.now() - began > 20_000) {
        throw new Error(`${this.name} does not answer; see ${this.log}`)
      }
      await after(2)
    }
    return performance.now() - began
  }

  async stop() {
    if (this.process !== null) await stop(this.process)
  }
}

/** The upstream itself, asked without anything in between. */
export const direct = (upstream, port) => Object.assign(new Competitor('direct', ''), { process: upstream, port })

/** All that are there, in the order of the tables; says what is missing and why. */
export async function competitors(folder, upstreamPort, body) {
  const found = []
  const nginx = findProgram('nginx')
  if (nginx === null) console.log('nginx is not installed: its figures are left out.')
  else found.push(new Competitor('nginx', folder, (port) => [nginx, '-c', nginxFile(folder, port, upstreamPort)]))
  const node = process.execPath
  const upstream = { UPSTREAM_PORT: String(upstreamPort) }
  found.push(new Competitor('relay', folder, () => [node, join(project, 'bench/relay.mjs')], upstream))
  if (existsSync(join(project, 'bench/node_modules/http-proxy-3'))) {
    found.push(new Competitor('http-proxy-3', folder, () => [node, join(project, 'bench/http-proxy.mjs')], upstream))
  } else console.log('http-proxy-3 is left out; `npm install --prefix bench` adds it.')
  if (!existsSync(program)) throw new Error('There is no built program: run `npm run build` first.')
  for (const [name, rows] of [
    ['ours', '0'],
    ['ours-without-rows', '1'],
  ]) {
    found.push(await ours(name, rows, folder, upstreamPort, body))
  }
  for (const { name, module, file, prefix } of gateways) {
    if (!existsSync(join(project, 'bench/node_modules', module))) {
      console.log(`${name} is left out; \`npm install --prefix bench\` adds it.`)
      continue
    }
    const gateway = new Competitor(name, folder, () => [node, join(project, 'bench', file)], upstream)
    found.push(Object.assign(gateway, { prefix, cases: gatewayCases }))
  }
  return found
}

/** Ours with an API profile that stands for the upstream, a vault of its own, and the key of its first start. */
async function ours(name, withoutRows, folder, upstreamPort, body) {
  const dataDir = join(folder, name)
  const configDir = join(folder, `${name}-config`)
  for (const old of [dataDir, configDir]) rmSync(old, { recursive: true, force: true })
  const serve = ['--data-dir', dataDir, 'serve', '--no-ui', '--vault', 'file', '--show-key', '--json', '--port']
  const made = new Competitor(name, folder, (port) => [process.execPath, program, ...serve, String(port)], {
    POINTSMAN_BENCH_NO_ROWS: withoutRows,
    XDG_CONFIG_HOME: configDir,
  })
  made.port = await freePort()
  const child = start([process.execPath, program, ...serve, String(made.port)], proxyCore, {
    env: { XDG_CONFIG_HOME: configDir },
  })
  const ready = JSON.parse(await firstLine(child))
  await run(process.execPath, [
    ...[program, '--data-dir', dataDir, 'rpc', 'profiles.create'],
    JSON.stringify({
      kind: 'api',
      label: 'Bench',
      dialects: ['messages'],
      baseUrl: `http://127.0.0.1:${upstreamPort}`,
      models: models.map((id) => ({ id })),
      apiKey: 'sk-bench',
    }),
  ])
  made.headers = [['x-api-key', ready.key]]
  if ((await statusOf(made, body)) !== 200) throw new Error(`${name} does not serve its profile`)
  await stop(child)
  return made
}

const prefixed = (body, prefix) => body.toString().replace('"model":"', `"model":"${prefix}`)

async function firstLine(child) {
  let text = ''
  for await (const piece of child.stdout) {
    text += piece
    if (text.includes('\n')) return text.split('\n')[0]
  }
  throw new Error('The program ended before it was ready.')
}

/** The status of one request, 0 when nobody answers. */
function statusOf({ port, headers }, body) {
  return new Promise((resolve) => {
    const asked = request({
      ...{ host: '127.0.0.1', port, method: 'POST', path: '/v1/messages', agent: false, timeout: 4_000 },
      headers: { 'content-type': 'application/json', ...Object.fromEntries(headers) },
    })
    asked.on('response', (response) => response.resume().on('close', () => resolve(response.statusCode)))
    asked.on('timeout', () => asked.destroy())
    asked.on('error', () => resolve(0))
    asked.end(body)
  })
}

/** nginx as a plain reverse proxy: one worker, nothing buffered, connections kept. */
function nginxFile(folder, port, upstreamPort) {
  const own = join(folder, 'nginx')
  mkdirSync(own, { recursive: true })
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const file = join(own, 'nginx.conf')
  writeFileSync(
    file,
    `worker_processes 1; daemon off; pid ${own}/pid; error_log ${own}/error.log warn;
events { worker_connections 8192; }
http {
  access_log off; tcp_nodelay on; client_max_body_size 64m; client_body_buffer_size 128k; keepalive_requests 100000000;
  ${temporary.map((name) => `${name}_temp_path ${own}/${name};`).join(' ')}
  upstream vendor { server 127.0.0.1:${upstreamPort}; keepalive 1024; keepalive_requests 100000000; }
  server {
    listen 127.0.0.1:${port} backlog=1024;
    location / {
      proxy_pass http://vendor; proxy_http_version 1.1; proxy_set_header Connection "";
      proxy_buffering off; proxy_request_buffering off; proxy_read_timeout 600s;
    }
  }
}
`,
  )
  return file
}
