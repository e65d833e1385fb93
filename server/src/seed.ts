import type { MenuRecord } from '@iot/shared/contract/release/release.schema'
import { menuRecords } from '@iot/shared/screens/all'
import type { Db } from './core/db/db'
import { transaction } from './core/db/db'
import { seedCalendars } from './modules/calendar/seed'
import { seedProtocols } from './modules/communicationProtocol/seed'
import { seedMapEngineering } from './modules/mapEngineering/queries'
import { seedMenus } from './modules/menu/seed'
import { seedPlatformSettings } from './modules/platformSettings/seed'
import { seedProductTypes } from './modules/productType/seed'
import { seedProjects } from './modules/project/seed'
import { seedRoles } from './modules/role/seed'
import { seedAdministrator } from './modules/user/seed'
import type { AppOptions } from './settings'

/**
 * Adds the menus of these screens, and the permissions of built-in roles for them, if they are missing.
 * @returns true if a row was added
 */
export const seedScreens = (db: Db, rows: MenuRecord[]) =>
  transaction(db, async (tx) => {
    const isNew = await seedMenus(tx, rows)
    await seedRoles(tx, rows)
    return isNew
  })

/**
 * Adds the required rows that are missing; it runs at every start.
 * @returns the password of the first administrator if it was created
 */
export const seed = (db: Db, options: AppOptions) =>
  transaction(db, async (tx) => {
    await seedMenus(tx, menuRecords)
    await seedRoles(tx, menuRecords)
    await seedProductTypes(tx)
    await seedPlatformSettings(tx)
    await seedCalendars(tx)
    await seedProtocols(tx)
    await seedMapEngineering(tx)
    if (!options.empty) await seedProjects(tx)
    return seedAdministrator(tx, options.adminPassword)
  })
