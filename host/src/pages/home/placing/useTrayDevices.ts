import { useMemo, useState } from 'react'
import type { FloorDevices } from '@iot/shared/contract/device/managedDevice.schema'
import { normalizeForSearch } from '@iot/shared/contract/text'
import { useComposedText } from '@iot/shared/ui/composition'
import type { PlanPosition } from './arrangement'

export type FloorDevice = FloorDevices['devices'][number]
export type TrayTab = 'out' | 'on'
export type TrayDevices = ReturnType<typeof useTrayDevices>

const nameCollator = new Intl.Collator('zh-CN', { numeric: true })

/** Returns the devices of the tray by tab, and those that match the filters of the shown tab. */
export function useTrayDevices(
  data: FloorDevices,
  positions: ReadonlyMap<string, PlanPosition | null>,
) {
  const [activeTab, setActiveTab] = useState<TrayTab>('out')
  const [searchText, setSearchText] = useState('')
  const composed = useComposedText(searchText)
  const [type, setType] = useState<string>()

  const products = useMemo(
    () => new Map(data.products.map((product) => [product.id, product])),
    [data],
  )
  const rooms = useMemo(() => new Map(data.spaces.map(({ id, name }) => [id, name])), [data])
  const sortedDevices = useMemo(
    () => [...data.devices].sort((a, b) => nameCollator.compare(a.name, b.name)),
    [data],
  )
  const placedDevices = useMemo(
    () => sortedDevices.filter(({ id }) => positions.get(id)),
    [sortedDevices, positions],
  )
  const unplacedDevices = useMemo(
    () => sortedDevices.filter(({ id }) => positions.has(id) && !positions.get(id)),
    [sortedDevices, positions],
  )
  const tabDevices = activeTab === 'on' ? placedDevices : unplacedDevices
  const types = useMemo(() => {
    const counts = new Map<string, { label: string; count: number }>()
    for (const { productId } of tabDevices) {
      const { productType = '', typeName = '' } = products.get(productId) ?? {}
      const count = (counts.get(productType)?.count ?? 0) + 1
      counts.set(productType, { label: typeName, count })
    }
    return [...counts].map(([value, { label, count }]) => ({
      value,
      label: `${label}（${count}）`,
    }))
  }, [tabDevices, products])
  const listedDevices = useMemo(() => {
    const words = normalizeForSearch(composed)
    return tabDevices.filter(
      ({ name, deviceName, spaceId, productId }) =>
        (!type || products.get(productId)?.productType === type) &&
        normalizeForSearch(`${name} ${deviceName} ${rooms.get(spaceId ?? '') ?? ''}`).includes(
          words,
        ),
    )
  }, [tabDevices, composed, type, products, rooms])

  return {
    activeTab,
    setActiveTab,
    searchText,
    setSearchText,
    type,
    setType,
    types,
    products,
    rooms,
    placedDevices,
    unplacedDevices,
    listedDevices,
    isFiltered: searchText.trim() !== '' || type !== undefined,
    clearFilters() {
      setSearchText('')
      setType(undefined)
    },
  }
}
