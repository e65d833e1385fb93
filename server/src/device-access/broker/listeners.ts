import { readFileSync, unwatchFile, watchFile } from 'node:fs'
import { createServer as createHttp, type Server as HttpServer } from 'node:http'
import { createServer as createHttps } from 'node:https'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { createServer as createTls } from 'node:tls'
import { createWebSocketStream, WebSocketServer } from 'ws'
import { listenOn } from '../../core/bindAddress'
import { webSocketCloseOptions } from '../../core/http/connections'
import { createConnectionCounter } from '../../core/http/connectionCounter'
import { GuardedSocket, type ConnectionLimits } from './guardedSocket'
import type { RefusedConnection } from './refusalLog'
import type { Traffic, Transport } from './trafficCounters'
import { log } from '../../core/logging/log'

/** Paths of PEM files; they are read again when they change, so that a renewed certificate needs no restart. */
export type Certificate = { certificate: string; key: string; checkEvery?: number }
export type Ports = { [way in Transport]?: number } & { tcp: number }
export type ListeningPorts = { [way in keyof Ports]: number }
type ListenerOptions = {
  traffic: Traffic
  ports: Ports
  host?: string
  limits: ConnectionLimits
  handshakeTimeout: number
  secure?: Certificate
  /** Called for a connection that ends before the broker sees it. */
  onRefused: (
    refusal: Pick<RefusedConnection, 'reason' | 'address'> & Partial<ClaimedNames>,
  ) => void
}
type ClaimedNames = { clientId: string; username: string }

/**
 * Opens all listeners of the broker: TCP, TLS, and WebSocket over either. Connections per address are counted before
 * the TLS handshake, over all listeners together.
 */
export async function openListeners(
  { ports, host, limits, handshakeTimeout, secure, traffic, onRefused }: ListenerOptions,
  acceptSocket: (socket: GuardedSocket) => void,
) {
  const counter = createConnectionCounter({
    perAddress: limits.connectionsPerAddress,
    total: limits.connections,
  })
  const servers: Server[] = []
  const listeningPorts: ListeningPorts = { tcp: 0 }
  let addresses: string[] = []
  const certificateReloads: (() => void)[] = []
  const readCertificate = () => ({
    cert: readFileSync(secure!.certificate),
    key: readFileSync(secure!.key),
    handshakeTimeout,
  })

  async function listen(transport: Transport, server: Server) {
    // A TLS server emits here the raw socket, before the handshake.
    server.prependListener('connection', (socket: Socket) => {
      socket.setNoDelay(true)
      traffic.countOpened(transport)
      socket.once('close', () => traffic.countClosed(transport))
      if (counter.admit(socket)) return
      traffic.countError(transport)
      onRefused({ reason: 'tooManyConnections', address: socket.remoteAddress ?? '' })
      socket.destroy()
    })
    servers.push(server)
    const binding = await listenOn(server, ports[transport], host)
    if (binding.ipv6Server) servers.push(binding.ipv6Server)
    if (transport === 'tcp') addresses = binding.addresses
    listeningPorts[transport] = (server.address() as AddressInfo).port
  }
  const acceptConnection = (transport: Transport, socket: Duplex, address = '') =>
    acceptSocket(
      new GuardedSocket(socket, limits, address, transport, (reason, names) =>
        onRefused({ reason, address, ...names }),
      ),
    )
  const createSocketHandler = (transport: 'tcp' | 'tls') => (socket: Socket) => {
    if (!socket.destroyed) acceptConnection(transport, socket, socket.remoteAddress)
  }
  function attachWebSocket(transport: 'ws' | 'wss', server: HttpServer) {
    const webSocketServer = new WebSocketServer({
      server,
      maxPayload: limits.packet + 8,
      perMessageDeflate: false,
      ...webSocketCloseOptions,
      // The first name is that of the MQTT standard, the second that of MQTT 3.1.
      handleProtocols: (offered) =>
        ['mqtt', 'mqttv3.1'].find((protocol) => offered.has(protocol)) ?? false,
    })
    webSocketServer.on('connection', (socket, { socket: { remoteAddress } }) =>
      acceptConnection(transport, createWebSocketStream(socket), remoteAddress),
    )
    server.headersTimeout = handshakeTimeout
    server.requestTimeout = handshakeTimeout
    server.on('close', () => webSocketServer.close())
    return server
  }
  const createTlsErrorHandler = (transport: 'tls' | 'wss') => (_error: Error, socket: Socket) => {
    traffic.countError(transport)
    onRefused({ reason: 'tls', address: socket.remoteAddress ?? '' })
    socket.destroy()
  }
  const answerUpgradeRequired = (
    _request: unknown,
    response: { writeHead: (code: number) => { end: () => void } },
  ) => response.writeHead(426).end()

  // Node checks for slow connections only every 30 s by default.
  const checkOptions = { connectionsCheckingInterval: Math.min(handshakeTimeout, 2000) }

  await listen('tcp', createServer(createSocketHandler('tcp')))
  if (ports.ws !== undefined)
    await listen('ws', attachWebSocket('ws', createHttp(checkOptions, answerUpgradeRequired)))
  if (ports.tls !== undefined) {
    const server = createTls(readCertificate(), createSocketHandler('tls'))
    server.on('tlsClientError', createTlsErrorHandler('tls'))
    certificateReloads.push(() => server.setSecureContext(readCertificate()))
    await listen('tls', server)
  }
  if (ports.wss !== undefined) {
    const server = createHttps({ ...readCertificate(), ...checkOptions }, answerUpgradeRequired)
    server.on('tlsClientError', createTlsErrorHandler('wss'))
    certificateReloads.push(() => server.setSecureContext(readCertificate()))
    await listen('wss', attachWebSocket('wss', server))
  }

  const reloadCertificates = () => {
    try {
      for (const reload of certificateReloads) reload()
    } catch (error) {
      // The file may be half written or the key may not match; the old certificate stays in use.
      log.error({ module: 'broker', err: error }, `证书未更换：${(error as Error).message}`)
    }
  }
  const watchedFiles =
    secure && certificateReloads.length > 0 ? [secure.certificate, secure.key] : []
  for (const file of watchedFiles)
    watchFile(
      file,
      { interval: secure!.checkEvery ?? 60_000, persistent: false },
      reloadCertificates,
    )

  return {
    ports: listeningPorts,
    addresses,
    /** Resolves when the last connection has ended. */
    close() {
      for (const file of watchedFiles) unwatchFile(file, reloadCertificates)
      return Promise.all(
        servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve()))),
      )
    },
  }
}
