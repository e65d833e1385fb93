import { getMenuRecords } from './area'
import { deviceAccess } from './deviceAccess'
import { enterprise } from './enterprise'
import { home } from './home'
import { release } from './release'
import { system } from './system'

/** The release screen belongs to the host, but its menu entry is among those of the system. */
const systemWithRelease: typeof system & { release: typeof release } = { ...system, release }

/** All areas in menu order. Pages import their own area, because this module contains the calls of every screen. */
export const screenTree = { home, deviceAccess, system: systemWithRelease, enterprise }

export const menuRecords = [home, deviceAccess, system, release, enterprise].flatMap(getMenuRecords)
