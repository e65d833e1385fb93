import type { AddressInfo } from 'node:net'
import { buildApp } from '../../app'

/** Starts a second server process on a database, for HTTP only, until it is killed; idempotency.test.ts starts it. */
async function main() {
  const [, , url, adminPassword] = process.argv
  const app = await buildApp({
    database: { kind: 'server', url: url! },
    adminPassword,
    empty: true,
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  process.stdout.write(`listening ${(app.server.address() as AddressInfo).port}\n`)
}

await main()
