import { createHash } from 'node:crypto'
import { and, eq, gt } from 'drizzle-orm'
import type { Db } from '../core/db/db'
import { product } from '../tables/device'
import { edgeHost, productConfig } from '../tables/deviceRecords'
import type { Identity } from './alink'
import type { Subject } from './subject'

/** The module under which an edge host tells, at `ota/device/inform`, which configuration it has applied. */
export const configModule = 'config'
export const digestOf = (content: string) => createHash('sha256').update(content).digest('hex')

/** Its own configuration where an edge host has one; it is called by its version, that of a product by its row. */
async function configOf(db: Db, device: Subject & Identity) {
  const [own] = await db
    .select({ content: edgeHost.content, version: edgeHost.configVersion })
    .from(edgeHost)
    .where(
      and(
        eq(edgeHost.projectId, device.projectId),
        eq(edgeHost.deviceId, device.id),
        gt(edgeHost.configVersion, 0),
      ),
    )
  if (own) return { configId: String(own.version), file: device.id, content: own.content }
  const [row] = await db
    .select({ id: productConfig.id, content: productConfig.content })
    .from(productConfig)
    .innerJoin(product, eq(product.id, productConfig.productId))
    .where(and(eq(product.productKey, device.productKey), eq(productConfig.enabled, true)))
  return row && { configId: row.id, file: row.id, content: row.content }
}

/** What a device is told of its configuration, asked for or pushed; undefined where there is none. */
export async function configFile(db: Db, device: Subject & Identity, publicUrl: string) {
  const config = await configOf(db, device)
  if (!config) return undefined
  const { configId, file, content } = config
  const sign = digestOf(content)
  return {
    configId,
    configSize: Buffer.byteLength(content),
    sign,
    signMethod: 'Sha256',
    url: new URL(`/v1/device/config/${file}/${sign}`, publicUrl).href,
    getType: 'file',
  }
}
