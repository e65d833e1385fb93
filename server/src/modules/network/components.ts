import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { Component, ComponentKey } from '@iot/shared/contract/network'
import type { FastifyInstance } from 'fastify'
import { toLocalAddress } from '../../core/bindAddress'

const ways = ['tcp', 'tls', 'ws', 'wss'] as const
const unknown = { connections: null, perMinute: null, errors: null }

/** Returns the address of the external broker without its credentials. */
export function externalOf(mqttUrl: string) {
  const { hostname, port, protocol } = new URL(mqttUrl)
  const secure = protocol === 'mqtts:' || protocol === 'wss:'
  const usual = { 'mqtt:': 1883, 'mqtts:': 8883, 'ws:': 80, 'wss:': 443 }[protocol]
  return { address: hostname, port: Number(port) || usual!, secure }
}

const httpPort = (app: FastifyInstance) => {
  const address = app.server.address()
  return typeof address === 'object' && address ? address.port : null
}

const httpAddress = (app: FastifyInstance) => {
  const address = app.server.address()
  return typeof address === 'object' && address ? address.address : '0.0.0.0'
}

/** Lists all listening ports, open or not, with their traffic. */
export async function componentsOf(app: FastifyInstance): Promise<Component[]> {
  const { devices, settings, server, calls } = app
  const certificateEnd = await endOf(settings.mqttSecure?.certificate)
  const external = settings.mqttUrl === undefined ? undefined : externalOf(settings.mqttUrl)
  const embedded = ways.map((key): Component => {
    const port = devices.mqttPorts?.[key]
    const isSecure = key === 'tls' || key === 'wss'
    return {
      key,
      address: settings.mqttHost ?? '0.0.0.0',
      port: port ?? null,
      state: port === undefined ? 'off' : 'running',
      ...(port === undefined || !devices.mqttFigures ? unknown : devices.mqttFigures(key)),
      certificateEnd: isSecure && port !== undefined ? certificateEnd : null,
    }
  })
  const count = promisify(server.getConnections.bind(server))
  const port = httpPort(app)
  return [
    ...(external
      ? [
          {
            key: 'external' as const,
            address: external.address,
            port: external.port,
            state: devices.broker() === 'connected' ? ('running' as const) : ('away' as const),
            ...unknown,
            certificateEnd: null,
          },
        ]
      : embedded),
    {
      key: 'http',
      address: httpAddress(app),
      port,
      state: port === null ? 'off' : 'running',
      connections: port === null ? 0 : await count(),
      ...calls.figures(),
      certificateEnd: null,
    },
  ]
}

/** Returns the address for a test of the component, or undefined if it is not open. */
export function doorOf(app: FastifyInstance, key: ComponentKey) {
  const { devices, settings } = app
  const here = (port: number | null | undefined, secure = false) =>
    typeof port === 'number'
      ? { address: toLocalAddress(settings.mqttHost), port, secure }
      : undefined
  const port = httpPort(app)
  if (key === 'http')
    return port === null
      ? undefined
      : { address: toLocalAddress(httpAddress(app)), port, secure: false }
  if (key === 'external') return settings.mqttUrl ? externalOf(settings.mqttUrl) : undefined
  return here(devices.mqttPorts?.[key], key === 'tls' || key === 'wss')
}

async function endOf(file: string | undefined) {
  if (!file) return null
  const text = await readFile(file).catch(() => undefined)
  return text ? new Date(new X509Certificate(text).validTo).toISOString() : null
}
