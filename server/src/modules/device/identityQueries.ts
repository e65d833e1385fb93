import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { isOwnCredential } from '../../device-access/credentialJoin'
import { device as table, deviceCredential, product } from '../../tables/device'
import type { DeviceRow } from './queries'

type NewDevice = Pick<
  DeviceRow,
  'id' | 'projectId' | 'productId' | 'name' | 'deviceName' | 'spaceId' | 'floorId' | 'protected'
> & { productKey: string; deviceSecret: string }

/** Queries for product key and DeviceName, with which devices identify themselves. */
export const identityQueries = (db: Db) => ({
  findIdentities: (ids: string[]) =>
    db
      .select({
        id: deviceCredential.deviceId,
        productKey: deviceCredential.productKey,
        deviceName: deviceCredential.deviceName,
      })
      .from(table)
      .innerJoin(product, eq(product.id, table.productId))
      .innerJoin(
        deviceCredential,
        and(
          eq(deviceCredential.productKey, product.productKey),
          eq(deviceCredential.deviceName, table.deviceName),
        ),
      )
      .where(inArray(table.id, ids)),
  /** Returns existing devices by product key and DeviceName. */
  async findByIdentities(identities: { productKey: string; deviceName: string }[]) {
    const deviceRows = await db
      .select({
        id: table.id,
        productKey: deviceCredential.productKey,
        deviceName: deviceCredential.deviceName,
        projectId: table.projectId,
        name: table.name,
      })
      .from(deviceCredential)
      .innerJoin(table, isOwnCredential)
      .where(
        inArray(
          deviceCredential.deviceName,
          identities.map(({ deviceName }) => deviceName),
        ),
      )
    return new Map(deviceRows.map((row) => [`${row.productKey}&${row.deviceName}`, row]))
  },
  /** The token of a dynamically registered device becomes invalid together with its old secret. */
  async findSecret(identity: { productKey: string; deviceName: string }) {
    const [row] = await db
      .select({ deviceSecret: deviceCredential.deviceSecret })
      .from(deviceCredential)
      .where(
        and(
          eq(deviceCredential.productKey, identity.productKey),
          eq(deviceCredential.deviceName, identity.deviceName),
        ),
      )
    return row!.deviceSecret
  },
  replaceSecret: (identity: { productKey: string; deviceName: string }, deviceSecret: string) =>
    db
      .update(deviceCredential)
      .set({ deviceSecret, clientId: null, deviceToken: null })
      .where(
        and(
          eq(deviceCredential.productKey, identity.productKey),
          eq(deviceCredential.deviceName, identity.deviceName),
        ),
      ),
  replaceSecrets: (secrets: { productKey: string; deviceName: string; deviceSecret: string }[]) =>
    db.execute(sql`
      update ${deviceCredential}
      set device_secret = replaced.secret, client_id = null, device_token = null
      from unnest(
        ${sql.param(secrets.map(({ productKey }) => productKey))}::text[],
        ${sql.param(secrets.map(({ deviceName }) => deviceName))}::text[],
        ${sql.param(secrets.map(({ deviceSecret }) => deviceSecret))}::text[]
      ) as replaced (product_key, device_name, secret)
      where ${deviceCredential.productKey} = replaced.product_key
        and ${deviceCredential.deviceName} = replaced.device_name`),
})

export const registrationQueries = (db: Db) => ({
  isDeviceNameTaken: async (productKey: string, deviceName: string) =>
    (await db.$count(
      deviceCredential,
      and(eq(deviceCredential.productKey, productKey), eq(deviceCredential.deviceName, deviceName)),
    )) > 0,
  insertCredential: (row: typeof deviceCredential.$inferInsert) =>
    db.insert(deviceCredential).values(row),
  /** Inserts devices with their secrets and returns the ids of those whose names were not yet used. */
  async registerAll(list: NewDevice[], actor: string) {
    if (list.length === 0) return new Set<string>()
    const insertedCredentials = await db
      .insert(deviceCredential)
      .values(
        list.map(({ id, productKey, deviceName, deviceSecret, projectId }) => ({
          productKey,
          deviceName,
          deviceSecret,
          projectId,
          deviceId: id,
        })),
      )
      .onConflictDoNothing()
      .returning({ id: deviceCredential.deviceId })
    const insertedIds = new Set(insertedCredentials.map(({ id }) => id))
    const rows = list.filter(({ id }) => insertedIds.has(id))
    if (rows.length > 0)
      await db.insert(table).values(
        rows.map(({ productKey: _, deviceSecret: __, ...row }) => ({
          ...row,
          state: 'inactive' as const,
          reported: {},
          address: '',
          createBy: actor,
          updateBy: actor,
          updateTime: new Date().toISOString(),
        })),
      )
    return insertedIds
  },
})
