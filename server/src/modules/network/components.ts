import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { Component, ComponentKey } from '@iot/shared/contract/device/network.schema'
import type { FastifyInstance } from 'fastify'
import { toLocalAddress } from '../../core/bindAddress'

const mqttTransports = ['tcp', 'tls', 'ws', 'wss'] as const
const unknownFigures = { connections: null, perMinute: null, errors: null }

/** Returns the address of the external broker without its credentials. */
export function parseBrokerUrl(mqttUrl: string) {
  const { hostname, port, protocol } = new URL(mqttUrl)
  const isSecure = protocol === 'mqtts:' || protocol === 'wss:'
  const defaultPort = { 'mqtt:': 1883, 'mqtts:': 8883, 'ws:': 80, 'wss:': 443 }[protocol]
  return { address: hostname, port: Number(port) || defaultPort!, secure: isSecure }
}

const getHttpPort = (app: FastifyInstance) => {
  const address = app.server.address()
  return typeof address === 'object' && address ? address.port : null
}

const getHttpAddress = (app: FastifyInstance) => {
  const address = app.server.address()
  return typeof address === 'object' && address ? address.address : '0.0.0.0'
}

/** Lists all listening ports, open or not, with their traffic. */
export async function listComponents(app: FastifyInstance): Promise<Component[]> {
  const { devices, settings, server, calls } = app
  const certificateEnd = await readCertificateExpiry(settings.mqttSecure?.certificate)
  const externalBroker =
    settings.mqttUrl === undefined ? undefined : parseBrokerUrl(settings.mqttUrl)
  const embeddedComponents = mqttTransports.map((key): Component => {
    const port = devices.mqttPorts?.[key]
    const isSecure = key === 'tls' || key === 'wss'
    return {
      key,
      address: settings.mqttHost ?? '0.0.0.0',
      port: port ?? null,
      state: port === undefined ? 'off' : 'running',
      ...(port === undefined || !devices.mqttFigures ? unknownFigures : devices.mqttFigures(key)),
      certificateEnd: isSecure && port !== undefined ? certificateEnd : null,
    }
  })
  const countConnections = promisify(server.getConnections.bind(server))
  const port = getHttpPort(app)
  return [
    ...(externalBroker
      ? [
          {
            key: 'external' as const,
            address: externalBroker.address,
            port: externalBroker.port,
            state: devices.broker() === 'connected' ? ('running' as const) : ('away' as const),
            ...unknownFigures,
            certificateEnd: null,
          },
        ]
      : embeddedComponents),
    {
      key: 'http',
      address: getHttpAddress(app),
      port,
      state: port === null ? 'off' : 'running',
      connections: port === null ? 0 : await countConnections(),
      ...calls.figures(),
      certificateEnd: null,
    },
  ]
}

/** Returns the address for a test of the component, or undefined if it is not open. */
export function getTestTarget(app: FastifyInstance, key: ComponentKey) {
  const { devices, settings } = app
  const toLocalTarget = (port: number | null | undefined, isSecure = false) =>
    typeof port === 'number'
      ? { address: toLocalAddress(settings.mqttHost), port, secure: isSecure }
      : undefined
  const port = getHttpPort(app)
  if (key === 'http')
    return port === null
      ? undefined
      : { address: toLocalAddress(getHttpAddress(app)), port, secure: false }
  if (key === 'external') return settings.mqttUrl ? parseBrokerUrl(settings.mqttUrl) : undefined
  return toLocalTarget(devices.mqttPorts?.[key], key === 'tls' || key === 'wss')
}

async function readCertificateExpiry(file: string | undefined) {
  if (!file) return null
  const text = await readFile(file).catch(() => undefined)
  return text ? new Date(new X509Certificate(text).validTo).toISOString() : null
}
