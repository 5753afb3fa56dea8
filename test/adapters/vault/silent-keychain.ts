/** A program that owns the keychain's name on the session bus and never answers anyone (F53). */
import { connect } from 'node:net'

const address = /unix:(?:path|abstract)=([^,]+)/.exec(process.env.DBUS_SESSION_BUS_ADDRESS ?? '')
const abstract = (process.env.DBUS_SESSION_BUS_ADDRESS ?? '').startsWith('unix:abstract=')
if (address === null) throw new Error('no session bus')

const align = (bytes: Buffer, to: number): Buffer =>
  Buffer.concat([bytes, Buffer.alloc((to - (bytes.length % to)) % to)])
const word = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
const text = (value: string): Buffer => Buffer.concat([word(value.length), Buffer.from(`${value}\0`)])

/** A header field: its code, the signature of its value (`o`, `s` or `g`), its value; fields begin at multiples of 8. */
const field = (code: number, type: string, value: string): Buffer => {
  const start = Buffer.from([code, 1, type.charCodeAt(0), 0])
  return Buffer.concat([
    start,
    type === 'g' ? Buffer.from(`${String.fromCharCode(value.length)}${value}\0`) : text(value),
  ])
}

function methodCall(serial: number, member: string, signature: string, body: Buffer): Buffer {
  const bus = 'org.freedesktop.DBus'
  const wanted = [field(1, 'o', '/org/freedesktop/DBus'), field(2, 's', bus), field(3, 's', member), field(6, 's', bus)]
  if (signature !== '') wanted.push(field(8, 'g', signature))
  const fields = wanted.reduce((all, next) => Buffer.concat([align(all, 8), next]), Buffer.alloc(0))
  const fixed = Buffer.from([0x6c, 1, 0, 1])
  return Buffer.concat([
    align(Buffer.concat([fixed, word(body.length), word(serial), word(fields.length), fields]), 8),
    body,
  ])
}

const socket = connect((abstract ? '\0' : '') + address[1])
const user = Buffer.from(String(process.getuid?.() ?? 0)).toString('hex')
const requestName = methodCall(
  2,
  'RequestName',
  'su',
  Buffer.concat([align(text('org.freedesktop.secrets'), 4), word(4)]),
)
socket.write(`\0AUTH EXTERNAL ${user}\r\n`)
let authenticated = false
socket.on('data', (bytes) => {
  if (!authenticated && bytes.toString('latin1').startsWith('OK')) {
    authenticated = true
    socket.write('BEGIN\r\n')
    socket.write(Buffer.concat([methodCall(1, 'Hello', '', Buffer.alloc(0)), requestName]))
  } else if (authenticated && bytes.includes('NameAcquired') && bytes.includes('org.freedesktop.secrets')) {
    process.stdout.write('OWNED\n')
  }
})
socket.on('close', () => process.exit(0))
