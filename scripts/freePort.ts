import { createServer, type AddressInfo } from 'node:net'

/** A port nobody listens on at the moment. */
export const freePort = () =>
  new Promise<number>((done, fail) => {
    const probe = createServer().on('error', fail)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => done(port))
    })
  })
