import { menuOf } from './area'
import { deviceAccess } from './deviceAccess'
import { enterprise } from './enterprise'
import { home } from './home'
import { release } from './release'
import { system } from './system'

/** The release screen is the host's own, and stands among those of the system. */
const inSystem: typeof system & { release: typeof release } = { ...system, release }

/** In the order of the menu. Pages import their own area: with all of them came the calls of every screen. */
export const areas = { home, deviceAccess, system: inSystem, enterprise }

export const menu = [home, deviceAccess, system, release, enterprise].flatMap(menuOf)
