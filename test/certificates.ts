/** Makes certificates of every kind for a test: a good one, and bad ones each for its own reason. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Certificates {
  /** Holds `NAME.pem` and `NAME.key` of each; `known.pem` is the authority to trust. */
  readonly folder: string
  /** False where there is no openssl that can make them. */
  readonly made: boolean
}

const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
const here = 'IP:127.0.0.1'

export function certificates(): Certificates {
  const folder = mkdtempSync(join(tmpdir(), 'pointsman-certificates-'))
  const openssl = (...args: readonly string[]): boolean => spawnSync('openssl', args, { cwd: folder }).status === 0
  const authority = (name: string): boolean => {
    const files = ['-keyout', `${name}.key`, '-out', `${name}.pem`]
    return openssl('req', '-x509', ...newKey, ...files, '-days', '2', '-subj', `/CN=${name}`)
  }
  const certificate = (name: string, host: string, by: string, days: number): boolean => {
    const subject = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=${host}`]
    const signed = ['-CA', `${by}.pem`, '-CAkey', `${by}.key`, '-copy_extensions', 'copy']
    return (
      openssl('req', ...newKey, ...subject, '-keyout', `${name}.key`, '-out', `${name}.csr`) &&
      openssl('x509', '-req', '-in', `${name}.csr`, ...signed, '-days', String(days), '-out', `${name}.pem`)
    )
  }
  const made =
    authority('known') &&
    authority('stranger') &&
    certificate('good', here, 'known', 2) &&
    certificate('other-host', 'DNS:elsewhere.test', 'known', 2) &&
    certificate('expired', here, 'known', -1) &&
    certificate('unknown-authority', here, 'stranger', 2)
  return { folder, made }
}
