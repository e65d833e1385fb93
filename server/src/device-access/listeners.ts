import { readFileSync, unwatchFile, watchFile } from 'node:fs'
import { createServer as createHttp, type Server as HttpServer } from 'node:http'
import { createServer as createHttps } from 'node:https'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { createServer as createTls } from 'node:tls'
import { createWebSocketStream, WebSocketServer } from 'ws'
import { webSocketClosing } from '../core/serve/connections'
import { connectionCounter } from '../core/serve/connectionCounter'
import { GuardedSocket, type Limits } from './guard'
import type { Traffic, Way } from './traffic'

/** Files in PEM; read again when they change, so that a renewed certificate needs no restart. */
export type Certificate = { certificate: string; key: string; checkEvery?: number }
export type Ports = { [way in Way]?: number } & { tcp: number }
export type Listening = { [way in keyof Ports]: number }
type Options = {
  traffic: Traffic
  ports: Ports
  host?: string
  limits: Limits
  handshakeTimeout: number
  secure?: Certificate
}

/**
 * Every way into the broker: TCP, TLS, and WebSocket over either. Connections of an address are counted before the
 * handshake, all ways together.
 */
export async function openListeners(
  { ports, host, limits, handshakeTimeout, secure, traffic }: Options,
  enter: (socket: GuardedSocket) => void,
) {
  const counter = connectionCounter({
    perAddress: limits.connectionsPerAddress,
    total: limits.connections,
  })
  const servers: Server[] = []
  const listening: Listening = { tcp: 0 }
  const renewed: (() => void)[] = []
  const read = () => ({
    cert: readFileSync(secure!.certificate),
    key: readFileSync(secure!.key),
    handshakeTimeout,
  })

  async function listen(way: Way, server: Server) {
    // Of a TLS server this is the bare socket, before the handshake.
    server.prependListener('connection', (socket: Socket) => {
      socket.setNoDelay(true)
      traffic.opened(way)
      socket.once('close', () => traffic.closed(way))
      if (counter.admit(socket)) return
      traffic.failed(way)
      socket.destroy()
    })
    servers.push(server)
    await new Promise<void>((resolve, reject) =>
      server.once('error', reject).listen(ports[way], host, resolve),
    )
    listening[way] = (server.address() as AddressInfo).port
  }
  const take = (way: 'tcp' | 'tls') => (socket: Socket) => {
    if (!socket.destroyed) enter(new GuardedSocket(socket, limits, socket.remoteAddress, way))
  }
  function upgrade(way: 'ws' | 'wss', server: HttpServer) {
    const sockets = new WebSocketServer({
      server,
      maxPayload: limits.packet + 8,
      perMessageDeflate: false,
      ...webSocketClosing,
      // What MQTT's standard names, and its name in 3.1.
      handleProtocols: (offered) =>
        ['mqtt', 'mqttv3.1'].find((protocol) => offered.has(protocol)) ?? false,
    })
    sockets.on('connection', (socket, { socket: { remoteAddress } }) =>
      enter(new GuardedSocket(createWebSocketStream(socket), limits, remoteAddress, way)),
    )
    server.headersTimeout = handshakeTimeout
    server.requestTimeout = handshakeTimeout
    server.on('close', () => sockets.close())
    return server
  }
  const broken = (way: 'tls' | 'wss') => (_error: Error, socket: Socket) => {
    traffic.failed(way)
    socket.destroy()
  }
  const plainAnswer = (
    _request: unknown,
    response: { writeHead: (code: number) => { end: () => void } },
  ) => response.writeHead(426).end()

  // Node looks for connections that are too slow every 30 s otherwise.
  const checkOften = { connectionsCheckingInterval: Math.min(handshakeTimeout, 2000) }

  await listen('tcp', createServer(take('tcp')))
  if (ports.ws !== undefined) await listen('ws', upgrade('ws', createHttp(checkOften, plainAnswer)))
  if (ports.tls !== undefined) {
    const server = createTls(read(), take('tls'))
    server.on('tlsClientError', broken('tls'))
    renewed.push(() => server.setSecureContext(read()))
    await listen('tls', server)
  }
  if (ports.wss !== undefined) {
    const server = createHttps({ ...read(), ...checkOften }, plainAnswer)
    server.on('tlsClientError', broken('wss'))
    renewed.push(() => server.setSecureContext(read()))
    await listen('wss', upgrade('wss', server))
  }

  const renew = () => {
    try {
      for (const take of renewed) take()
    } catch (error) {
      // Half written, or a key that is not its own: the old one stays.
      console.error('证书未更换：', (error as Error).message)
    }
  }
  const watched = secure && renewed.length > 0 ? [secure.certificate, secure.key] : []
  for (const file of watched)
    watchFile(file, { interval: secure!.checkEvery ?? 60_000, persistent: false }, renew)

  return {
    ports: listening,
    /** Ends with the last connection. */
    close() {
      for (const file of watched) unwatchFile(file, renew)
      return Promise.all(
        servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve()))),
      )
    },
  }
}
