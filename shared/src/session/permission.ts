import { atom } from 'jotai'
import type { MenuNode } from '../contract/menuNode'

/** Side menu of the user, as sent by the server. */
export const menuAtom = atom<MenuNode[]>([])
/** `routeName` of the open screen. */
export const routeNameAtom = atom('')
