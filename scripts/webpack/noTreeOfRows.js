/** Replaces the tree functions in a table's row selection; see `host.ts`. */
const absent = () => {
  throw new Error('Rows are ticked one by one here: leave `checkStrictly` alone')
}
export const conductCheck = absent
export const convertDataToEntities = absent
export const arrAdd = (keys, key) => (keys.includes(key) ? keys : [...keys, key])
export const arrDel = (keys, key) => keys.filter((candidate) => candidate !== key)
