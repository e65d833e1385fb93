import type { MenuRecord } from '@iot/shared/contract/release'
import { menu } from '@iot/shared/screens/all'
import type { Db } from './core/db/db'
import { transaction } from './core/db/db'
import { seedCalendars } from './modules/calendar/seed'
import { seedProtocols } from './modules/communicationProtocol/seed'
import { seedMapEngineering } from './modules/mapEngineering/queries'
import { seedMenus } from './modules/menu/seed'
import { seedProductTypes } from './modules/productType/seed'
import { seedProjects } from './modules/project/seed'
import { seedRoles } from './modules/role/seed'
import { seedAdministrator } from './modules/user/seed'
import type { AppOptions } from './settings'

/** Menu and built-in roles get what these screens bring and was not there before. Answers whether anything was new. */
export const seedScreens = (db: Db, rows: MenuRecord[]) =>
  transaction(db, async (tx) => {
    const isNew = await seedMenus(tx, rows)
    await seedRoles(tx, rows)
    return isNew
  })

/** Puts in what must be there and is not; runs at every start. Answers the first administrator's password if new. */
export const seed = (db: Db, options: AppOptions) =>
  transaction(db, async (tx) => {
    await seedMenus(tx, menu)
    await seedRoles(tx, menu)
    await seedProductTypes(tx)
    await seedCalendars(tx)
    await seedProtocols(tx)
    await seedMapEngineering(tx)
    if (!options.empty) await seedProjects(tx)
    return seedAdministrator(tx, options.adminPassword)
  })
