let repair = async () => {}
/** Registers the repair of the host; in another host there is none. */
export const setShareRepair = (repairShares: () => Promise<void>) => void (repair = repairShares)

/**
 * Loads shared modules again whose own shared modules failed to load; to be called before a part of a screen is loaded
 * once more.
 */
export const healShares = () => repair()
