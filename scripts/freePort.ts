import { createServer, type AddressInfo } from 'node:net'

/** Returns a TCP port that is currently free. */
export const freePort = () =>
  new Promise<number>((done, fail) => {
    const probe = createServer().on('error', fail)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => done(port))
    })
  })
