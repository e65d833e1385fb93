import type { Values } from '@iot/shared/contract/device/device.schema'
import { and, asc, eq } from 'drizzle-orm'
import { deviceKey } from 'server/src/device-access/protocol/alink'
import { connectEdge, type DeviceTriple } from 'server/src/device-access/protocol/edgeClient'
import { device, deviceCredential, product } from 'server/src/tables/device'
import type { Db } from 'server/src/core/db/db'
import { behaviours } from './building'
import { projectId } from './seed'
import { startEdgeHost } from './edgeHost'
import { createRandom, createSensor, sensorIntervalMs } from './sensors'

type Child = DeviceTriple & { productType: string; reported: Values }
export type Edge = DeviceTriple & { children: Child[] }

/** Reads the edge gateways of the seeded buildings with their child devices from the database. */
export async function readEdges(db: Db): Promise<Edge[]> {
  const rows = await db
    .select({
      id: device.id,
      gatewayId: device.gatewayId,
      deviceName: device.deviceName,
      reported: device.reported,
      productKey: product.productKey,
      productType: product.productType,
      deviceSecret: deviceCredential.deviceSecret,
    })
    .from(device)
    .innerJoin(product, eq(product.id, device.productId))
    .innerJoin(
      deviceCredential,
      and(
        eq(deviceCredential.projectId, device.projectId),
        eq(deviceCredential.deviceId, device.id),
      ),
    )
    .where(eq(device.projectId, projectId))
    .orderBy(asc(device.deviceName))
  return rows
    .filter(({ productType }) => productType === 'EDGE_HOST')
    .map((edge) => ({
      ...edge,
      children: rows.filter(
        (row) => row.gatewayId === edge.id && behaviours[row.deviceName]?.kind !== 'absent',
      ),
    }))
}

/**
 * Connects every edge gateway with its own socket until `close` is called, and resolves when all have signed in. The
 * same seed gives the same values.
 */
export async function simulateBuilding(url: string, edges: Edge[], seed = 'console') {
  const runningEdges = await Promise.all(edges.map((edge) => runEdge(url, edge, seed)))
  return { close: async () => void (await Promise.all(runningEdges.map((edge) => edge.close()))) }
}

async function runEdge(url: string, edge: Edge, seed: string) {
  // Each device has its own generator, so that the order of reports does not affect the values.
  const children = new Map(
    edge.children.map((child) => [
      deviceKey(child),
      {
        ...child,
        values: { ...child.reported },
        sensor: createSensor(child.productType, createRandom(`${seed} ${child.deviceName}`)),
      },
    ]),
  )
  const lateTimers = new Set<NodeJS.Timeout>()

  const client = await connectEdge({
    url,
    gateway: edge,
    children: edge.children,
    onAsk: (action, params, reply) => edgeHost.handleRequest(action, params, reply),
    onSet(key, requestedValues, { reply, post }) {
      const child = children.get(key)
      if (!child) return
      const applyCommand = () => {
        Object.assign(child.values, requestedValues)
        reply(200)
        post(requestedValues)
      }
      const behaviour = behaviours[child.deviceName]
      if (!behaviour) return applyCommand()
      if (behaviour.kind === 'refuses') reply(9201, '驱动电源故障')
      if (behaviour.kind === 'late') {
        const timer = setTimeout(() => (lateTimers.delete(timer), applyCommand()), behaviour.ms)
        lateTimers.add(timer)
      }
    },
    onService(key, _identifier, reply) {
      const behaviour = behaviours[children.get(key)?.deviceName ?? '']
      if (behaviour?.kind !== 'silent') reply(200)
    },
  })

  const edgeHost = startEdgeHost(client, edge, createRandom(`${seed} ${edge.deviceName}`))

  function report(isFullReport: boolean) {
    edgeHost.beat()
    const lamps = [...children.values()].filter(
      ({ productType }) => productType === 'SAFEWAY_LIGHT',
    )
    const litShare =
      lamps.filter(({ values }) => values.PowerSwitch === 1).length / Math.max(1, lamps.length)
    for (const child of children.values()) {
      const reading = child.sensor?.(child.values, litShare, Date.now())
      Object.assign(child.values, reading)
      if (reading || isFullReport) client.post(child, child.values)
    }
  }
  report(true)
  const reportTimer = setInterval(() => report(false), sensorIntervalMs)

  return {
    async close() {
      clearInterval(reportTimer)
      edgeHost.close()
      for (const timer of lateTimers) clearTimeout(timer)
      await client.close()
    },
  }
}
