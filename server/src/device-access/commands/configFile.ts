import { removeTrailingSlash } from '@iot/shared/contract/webAddress'
import { createHash } from 'node:crypto'
import { and, eq, gt } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { product } from '../../tables/device'
import { edgeHost, productConfig } from '../../tables/deviceRecords'
import type { Identity } from '../protocol/alink'
import type { DeviceRef } from '../deviceRef'

/** An edge host reports its applied configuration at `ota/device/inform` under this module name. */
export const configModule = 'config'
export const computeDigest = (content: string) => createHash('sha256').update(content).digest('hex')

/**
 * Returns the configuration of the edge host itself, identified by its version, or else that of its product, identified
 * by its row.
 */
async function findConfig(db: Db, device: DeviceRef & Identity) {
  const [ownConfig] = await db
    .select({ content: edgeHost.content, version: edgeHost.configVersion })
    .from(edgeHost)
    .where(
      and(
        eq(edgeHost.projectId, device.projectId),
        eq(edgeHost.deviceId, device.id),
        gt(edgeHost.configVersion, 0),
      ),
    )
  if (ownConfig)
    return { configId: String(ownConfig.version), file: device.id, content: ownConfig.content }
  const [row] = await db
    .select({ id: productConfig.id, content: productConfig.content })
    .from(productConfig)
    .innerJoin(product, eq(product.id, productConfig.productId))
    .where(and(eq(product.productKey, device.productKey), eq(productConfig.enabled, true)))
  return row && { configId: row.id, file: row.id, content: row.content }
}

/**
 * Builds the description of a device's configuration file for a request or a push; undefined if there is no
 * configuration.
 */
export async function buildConfigFile(db: Db, device: DeviceRef & Identity, publicUrl: string) {
  const config = await findConfig(db, device)
  if (!config) return undefined
  const { configId, file, content } = config
  const sign = computeDigest(content)
  return {
    configId,
    configSize: Buffer.byteLength(content),
    sign,
    signMethod: 'Sha256',
    url: `${removeTrailingSlash(publicUrl)}/v1/device/config/${file}/${sign}`,
    getType: 'file',
  }
}
