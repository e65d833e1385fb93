import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'

export type Fault =
  | '404'
  | '500'
  | '507'
  | 'html'
  | 'hang'
  | 'truncated'
  | 'tampered'
  | 'trickle'
  /** `mistyped` sends the right bytes with a wrong content type. */
  | 'mistyped'

/**
 * Starts a proxy in front of a server that injects faults by path and can delay all answers. `calls` is the target of
 * `/v1/` if it is another server.
 */
export async function faultProxy(target: string, calls = target) {
  const hostOf = (path = '') => new URL(path.startsWith('/v1/') ? calls : target)
  const faults: { match: (path: string) => boolean; fault: Fault }[] = []
  let delay = 0
  const hanging = new Map<ServerResponse, string>()
  const sockets = new Set<Socket>()

  /** Sends a body in twenty parts, half a second apart. */
  async function trickle(to: ServerResponse, whole: Buffer) {
    const size = Math.ceil(whole.length / 20)
    for (let at = 0; at < whole.length && !to.destroyed; at += size) {
      to.write(whole.subarray(at, at + size))
      await new Promise((done) => setTimeout(done, 500))
    }
    to.end()
  }

  function forward(
    from: IncomingMessage,
    to: ServerResponse,
    spoil?: 'truncated' | 'tampered' | 'trickle' | 'mistyped',
  ) {
    const headers = { ...from.headers, ...(spoil && { 'accept-encoding': 'identity' }) }
    const { hostname, port } = hostOf(from.url)
    const upstream = request(
      { hostname, port, path: from.url, method: from.method, headers },
      (answer) => {
        if (!spoil) {
          to.writeHead(answer.statusCode!, answer.headers)
          return void answer.pipe(to)
        }
        const parts: Buffer[] = []
        answer.on('data', (part: Buffer) => parts.push(part))
        answer.on('end', () => {
          const whole = Buffer.concat(parts)
          if (spoil === 'trickle') {
            to.writeHead(answer.statusCode!, answer.headers)
            return void trickle(to, whole)
          }
          if (spoil === 'mistyped') {
            to.writeHead(answer.statusCode!, { ...answer.headers, 'content-type': 'text/plain' })
            return void to.end(whole)
          }
          // A script with one extra byte still runs; only its hash reveals the change.
          const body =
            spoil === 'truncated'
              ? whole.subarray(0, whole.length / 2)
              : Buffer.concat([whole, Buffer.from(' ')])
          to.writeHead(answer.statusCode!, { ...answer.headers, 'content-length': body.length })
          to.end(body)
        })
      },
    )
    upstream.on('error', () => to.destroy())
    from.pipe(upstream)
  }

  const server = createServer((from, to) => {
    const path = from.url!.split('?')[0]!
    const fault = faults.find(({ match }) => match(path))?.fault
    const answer = (status: number, type: string, body: string) =>
      to.writeHead(status, { 'content-type': type }).end(body)
    setTimeout(() => {
      if (fault === '404') answer(404, 'text/plain', '404\n')
      else if (fault === '500') answer(500, 'application/json', '{"code":500,"msg":"broken"}')
      else if (fault === '507') answer(507, 'text/plain', '507\n')
      else if (fault === 'html')
        answer(200, 'text/html', '<!doctype html><title>not what was asked for</title>')
      else if (fault === 'hang') hanging.set(to, path)
      else forward(from, to, fault)
    }, delay)
  })
  server.on('upgrade', (from: IncomingMessage, socket: Socket, head: Buffer) => {
    const { hostname, port } = hostOf(from.url)
    const upstream = connect(Number(port), hostname, () => {
      const lines = Object.entries(from.headers).map(([name, value]) => `${name}: ${String(value)}`)
      upstream.write(`${from.method} ${from.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
      upstream.write(head)
      upstream.pipe(socket).pipe(upstream)
    })
    const end = () => (upstream.destroy(), socket.destroy())
    upstream.on('error', end)
    socket.on('error', end)
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  const listen = (port: number) =>
    new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  await listen(0)
  const { port } = server.address() as AddressInfo
  // Browsers open speculative connections; one that arrives during a stop would keep the server from closing.
  let isOpen = true
  server.on('connection', (socket) => isOpen || socket.destroy())
  const stop = () =>
    new Promise<void>((done) => {
      isOpen = false
      server.close(() => done())
      for (const socket of sockets) socket.destroy()
    })

  return {
    origin: `http://127.0.0.1:${port}`,
    delay: (ms: number) => void (delay = ms),
    /**
     * Injects a fault for matching paths until the returned function is called, which also cuts off hanging requests.
     */
    fault(match: (path: string) => boolean, fault: Fault) {
      const one = { match, fault }
      faults.push(one)
      return () => {
        faults.splice(faults.indexOf(one), 1)
        for (const [answer, path] of hanging) {
          if (!match(path)) continue
          hanging.delete(answer)
          answer.destroy()
        }
      }
    },
    /** Stops listening until the returned function is called. */
    async stop() {
      await stop()
      return async () => {
        isOpen = true
        await listen(port)
      }
    },
    close: stop,
  }
}
