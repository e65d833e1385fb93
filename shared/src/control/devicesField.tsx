import { useRequest } from 'ahooks'
import { Select } from 'antd'
import { useState } from 'react'
import { chosenName, namedOptions } from '../contract/options'
import { call } from '../client/call'
import { sceneApi } from '../contract/scene'

type Found = { id: string; name: string; productType: string; isDisabled: boolean }
type UseDevices = { projectId: number; productType?: string; ids: string[] }

/** Searches devices by text and loads the names of the chosen ones. */
export function useDevices({ projectId, productType, ids }: UseDevices) {
  const [text, setText] = useState('')
  const found = useRequest(
    () => call(sceneApi.devices, { projectId, productType, text }, { quiet: true }),
    { refreshDeps: [projectId, productType, text], debounceWait: 300, debounceLeading: true },
  )
  const key = ids.join()
  const named = useRequest(() => call(sceneApi.devices, { projectId, ids }, { quiet: true }), {
    refreshDeps: [key],
    ready: ids.length > 0,
    retryCount: -1,
    retryInterval: 10_000,
  })
  const all = new Map<string, Found>()
  for (const one of [...(named.data ?? []), ...(found.data ?? [])]) all.set(one.id, one)
  const known = Object.fromEntries([...all.values()].map(({ id, name }) => [id, name]))
  const nameOf = (value: unknown) =>
    chosenName(named.data && !named.loading ? [] : undefined, value, known)
  return {
    search: setText,
    loading: found.loading,
    options: namedOptions([...all.values()]),
    labelRender: ({ value }: { value?: unknown }) =>
      named.error && !known[String(value)] ? '没有读到' : nameOf(value),
    notFoundContent: found.error && '没有读到设备',
    find: (id: string | undefined) => (id ? all.get(id) : undefined),
    /** Once the names are loaded, a missing device has been deleted. */
    isKnown: named.data !== undefined && !named.loading,
  }
}

type DevicesFieldProps = {
  projectId: number
  productType?: string
  id?: string
  value?: string[]
  onChange?: (ids: string[]) => void
}

/** Picker for devices, searched by name. */
export function DevicesField(props: DevicesFieldProps) {
  const { projectId, productType, id, value = [], onChange } = props
  const {
    search,
    find: _,
    isKnown: __,
    ...offered
  } = useDevices({ projectId, productType, ids: value })
  return (
    <Select
      id={id}
      mode="multiple"
      aria-label="设备"
      placeholder="按名称搜索设备"
      value={value}
      {...offered}
      showSearch={{ filterOption: false, onSearch: search }}
      maxTagCount={2}
      maxTagPlaceholder={(rest) => `等 ${value.length} 台（另 ${rest.length} 台）`}
      onChange={onChange}
    />
  )
}
