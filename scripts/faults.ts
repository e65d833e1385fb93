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

type Damage = Extract<Fault, 'truncated' | 'tampered' | 'trickle' | 'mistyped'>

/**
 * Starts a proxy in front of a server that injects faults by path and can delay all answers. `calls` is the target of
 * `/v1/` if it is another server.
 */
export async function startFaultProxy(target: string, calls = target) {
  const getTarget = (path = '') => new URL(path.startsWith('/v1/') ? calls : target)
  const faults: { match: (path: string) => boolean; fault: Fault }[] = []
  let delay = 0
  const hangingAnswers = new Map<ServerResponse, string>()
  const sockets = new Set<Socket>()

  const server = createServer((clientRequest, clientResponse) => {
    const path = clientRequest.url!.split('?')[0]!
    const fault = faults.find(({ match }) => match(path))?.fault
    const answer = (status: number, type: string, body: string) =>
      clientResponse.writeHead(status, { 'content-type': type }).end(body)
    setTimeout(() => {
      if (fault === '404') answer(404, 'text/plain', '404\n')
      else if (fault === '500') answer(500, 'application/json', '{"code":500,"msg":"broken"}')
      else if (fault === '507') answer(507, 'text/plain', '507\n')
      else if (fault === 'html')
        answer(200, 'text/html', '<!doctype html><title>not what was asked for</title>')
      else if (fault === 'hang') hangingAnswers.set(clientResponse, path)
      else forward(clientRequest, clientResponse, getTarget(clientRequest.url), fault)
    }, delay)
  })
  server.on('upgrade', (clientRequest: IncomingMessage, socket: Socket, head: Buffer) =>
    forwardUpgrade(clientRequest, socket, head, getTarget(clientRequest.url)),
  )
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  const listen = (port: number) =>
    new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  await listen(0)
  const { port } = server.address() as AddressInfo
  // Browsers open speculative connections; one that arrives during a stop would keep the server from closing.
  let isListening = true
  server.on('connection', (socket) => isListening || socket.destroy())
  const closeServer = () =>
    new Promise<void>((resolve) => {
      isListening = false
      server.close(() => resolve())
      for (const socket of sockets) socket.destroy()
    })

  return {
    origin: `http://127.0.0.1:${port}`,
    delay: (ms: number) => void (delay = ms),
    /**
     * Injects a fault for matching paths until the returned function is called, which also cuts off hanging requests.
     */
    fault(match: (path: string) => boolean, startFault: Fault) {
      const injected = { match, fault: startFault }
      faults.push(injected)
      return () => {
        faults.splice(faults.indexOf(injected), 1)
        for (const [answer, path] of hangingAnswers) {
          if (!match(path)) continue
          hangingAnswers.delete(answer)
          answer.destroy()
        }
      }
    },
    /** Stops listening until the returned function is called. */
    async stop() {
      await closeServer()
      return async () => {
        isListening = true
        await listen(port)
      }
    },
    close: closeServer,
  }
}

function forward(
  clientRequest: IncomingMessage,
  clientResponse: ServerResponse,
  { hostname, port }: URL,
  damageKind?: Damage,
) {
  const headers = { ...clientRequest.headers, ...(damageKind && { 'accept-encoding': 'identity' }) }
  const upstream = request(
    { hostname, port, path: clientRequest.url, method: clientRequest.method, headers },
    (answer) => {
      if (!damageKind) {
        clientResponse.writeHead(answer.statusCode!, answer.headers)
        return void answer.pipe(clientResponse)
      }
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('end', () => sendDamaged(clientResponse, answer, Buffer.concat(parts), damageKind))
    },
  )
  upstream.on('error', () => clientResponse.destroy())
  clientRequest.pipe(upstream)
}

function sendDamaged(
  clientResponse: ServerResponse,
  { statusCode, headers }: IncomingMessage,
  content: Buffer,
  damageKind: Damage,
) {
  if (damageKind === 'trickle') {
    clientResponse.writeHead(statusCode!, headers)
    return void sendSlowly(clientResponse, content)
  }
  if (damageKind === 'mistyped') {
    clientResponse.writeHead(statusCode!, { ...headers, 'content-type': 'text/plain' })
    return void clientResponse.end(content)
  }
  // A script with one extra byte still runs; only its hash reveals the change.
  const body =
    damageKind === 'truncated'
      ? content.subarray(0, content.length / 2)
      : Buffer.concat([content, Buffer.from(' ')])
  clientResponse.writeHead(statusCode!, { ...headers, 'content-length': body.length })
  clientResponse.end(body)
}

/** Sends a body in twenty parts, half a second apart. */
async function sendSlowly(clientResponse: ServerResponse, body: Buffer) {
  const partSize = Math.ceil(body.length / 20)
  for (let offset = 0; offset < body.length && !clientResponse.destroyed; offset += partSize) {
    clientResponse.write(body.subarray(offset, offset + partSize))
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  clientResponse.end()
}

function forwardUpgrade(
  clientRequest: IncomingMessage,
  socket: Socket,
  head: Buffer,
  { hostname, port }: URL,
) {
  const upstream = connect(Number(port), hostname, () => {
    const lines = Object.entries(clientRequest.headers).map(
      ([name, value]) => `${name}: ${String(value)}`,
    )
    upstream.write(
      `${clientRequest.method} ${clientRequest.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`,
    )
    upstream.write(head)
    upstream.pipe(socket).pipe(upstream)
  })
  const closeBoth = () => (upstream.destroy(), socket.destroy())
  upstream.on('error', closeBoth)
  socket.on('error', closeBoth)
}
