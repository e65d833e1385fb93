import { menuOf } from './area'
import { deviceAccess } from './deviceAccess'
import { enterprise } from './enterprise'
import { home } from './home'
import { release } from './release'
import { system } from './system'

/** In the order of the menu. Pages import their own area: with all of them came the calls of every screen. */
export const areas = { home, deviceAccess, system: { ...system, release }, enterprise }

export const menu = [home, deviceAccess, system, release, enterprise].flatMap(menuOf)
