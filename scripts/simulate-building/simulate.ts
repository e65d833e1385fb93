import type { Values } from '@iot/shared/contract/device'
import { and, asc, eq } from 'drizzle-orm'
import { keyOf } from 'server/src/device-access/alink'
import { connectEdge, type Triple } from 'server/src/device-access/edgeClient'
import { device, deviceCredential, product } from 'server/src/tables/device'
import type { Db } from 'server/src/core/db/db'
import { behaviours } from './building'
import { projectId } from './seed'
import { openHost } from './host'
import { randomOf, sense, sensorsEvery } from './sensors'

type Child = Triple & { productType: string; reported: Values }
export type Edge = Triple & { children: Child[] }

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
  const open = await Promise.all(edges.map((edge) => runEdge(url, edge, seed)))
  return { close: async () => void (await Promise.all(open.map((one) => one.close()))) }
}

async function runEdge(url: string, edge: Edge, seed: string) {
  // Each device has its own generator, so that the order of reports does not affect the values.
  const children = new Map(
    edge.children.map((child) => [
      keyOf(child),
      { ...child, values: { ...child.reported }, random: randomOf(`${seed} ${child.deviceName}`) },
    ]),
  )
  const late = new Set<NodeJS.Timeout>()

  const client = await connectEdge({
    url,
    gateway: edge,
    children: edge.children,
    onAsk: (action, params, reply) => host.asked(action, params, reply),
    onSet(key, wanted, { reply, post }) {
      const child = children.get(key)
      if (!child) return
      const obey = () => {
        Object.assign(child.values, wanted)
        reply(200)
        post(wanted)
      }
      const behaviour = behaviours[child.deviceName]
      if (!behaviour) return obey()
      if (behaviour.kind === 'refuses') reply(9201, '驱动电源故障')
      if (behaviour.kind === 'late') {
        const timer = setTimeout(() => (late.delete(timer), obey()), behaviour.ms)
        late.add(timer)
      }
    },
    onService(key, _identifier, reply) {
      const behaviour = behaviours[children.get(key)?.deviceName ?? '']
      if (behaviour?.kind !== 'silent') reply(200)
    },
  })

  const host = openHost(client, edge, randomOf(`${seed} ${edge.deviceName}`))

  function report(everything: boolean) {
    host.beat()
    const lamps = [...children.values()].filter(
      ({ productType }) => productType === 'SAFEWAY_LIGHT',
    )
    const lit =
      lamps.filter(({ values }) => values.PowerSwitch === 1).length / Math.max(1, lamps.length)
    for (const child of children.values()) {
      const sensed = sense(child.productType, child.values, lit, child.random)
      Object.assign(child.values, sensed)
      if (sensed || everything) client.post(child, child.values)
    }
  }
  report(true)
  const sensing = setInterval(() => report(false), sensorsEvery)

  return {
    async close() {
      clearInterval(sensing)
      host.close()
      for (const timer of late) clearTimeout(timer)
      await client.close()
    },
  }
}
