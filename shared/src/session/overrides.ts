import { atom } from 'jotai'
import { createOverrideFinder } from '../contract/control/manualOverride'
import type { ManualOverride } from '../contract/control/manualOverride.schema'

/** Open manual overrides of the project that the page shows. */
export const manualOverridesAtom = atom<readonly ManualOverride[]>([])
/** Finds the override of a device. The function changes only with the overrides. */
export const overrideFinderAtom = atom((get) => createOverrideFinder(get(manualOverridesAtom)))
/** Counter that increases when this page creates or ends an override. */
export const overrideRevisionAtom = atom(0)
