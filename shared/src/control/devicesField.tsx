import useRequest from 'ahooks/es/useRequest'
import { useState } from 'react'
import { getSelectedName, toRowOptions } from '../contract/options'
import { call } from '../client/call'
import { sceneApi } from '../contract/control/scene.api'
import { Select } from '../ui/select'

type FoundDevice = { id: string; name: string; productType: string; isDisabled: boolean }
type UseDevices = { projectId: number; productType?: string; ids: string[] }

/** Searches devices by text and loads the names of the chosen ones; several conditions may choose the same one. */
export function useDevices({ projectId, productType, ids }: UseDevices) {
  const [text, setText] = useState('')
  const searchRequest = useRequest(
    () => call(sceneApi.devices, { projectId, productType, text }, { quiet: true }),
    { refreshDeps: [projectId, productType, text], debounceWait: 300, debounceLeading: true },
  )
  const distinctIds = [...new Set(ids)]
  const nameRequest = useRequest(
    () => call(sceneApi.devices, { projectId, ids: distinctIds }, { quiet: true }),
    {
      refreshDeps: [distinctIds.join()],
      ready: ids.length > 0,
      retryCount: -1,
      retryInterval: 10_000,
    },
  )
  const devicesById = new Map<string, FoundDevice>()
  for (const device of [...(nameRequest.data ?? []), ...(searchRequest.data ?? [])])
    devicesById.set(device.id, device)
  const namesById = Object.fromEntries([...devicesById.values()].map(({ id, name }) => [id, name]))
  const formatDeviceName = (value: unknown) =>
    getSelectedName(nameRequest.data && !nameRequest.loading ? [] : undefined, value, namesById)
  return {
    search: setText,
    loading: searchRequest.loading,
    options: toRowOptions([...devicesById.values()]),
    labelRender: ({ value }: { value?: unknown }) =>
      nameRequest.error && !namesById[String(value)] ? '没有读到' : formatDeviceName(value),
    notFoundContent: searchRequest.error && '没有读到设备',
    find: (id: string | undefined) => (id ? devicesById.get(id) : undefined),
    /** Once the names are loaded, a missing device has been deleted. */
    isKnown: nameRequest.data !== undefined && !nameRequest.loading,
  }
}

type DevicesFieldProps = {
  projectId: number
  productType?: string
  id?: string
  placeholder?: string
  value?: string[]
  onChange?: (ids: string[]) => void
}

/** Picker for devices, searched by name. */
export function DevicesField(props: DevicesFieldProps) {
  const { projectId, productType, id, value = [], onChange, placeholder = '按名称搜索设备' } = props
  const {
    search,
    find: _,
    isKnown: __,
    ...selectProps
  } = useDevices({ projectId, productType, ids: value })
  return (
    <Select
      id={id}
      mode="multiple"
      aria-label="设备"
      placeholder={placeholder}
      value={value}
      {...selectProps}
      showSearch={{ filterOption: false, onSearch: search }}
      maxTagCount={2}
      maxTagPlaceholder={(rest) => `等 ${value.length} 台（另 ${rest.length} 台）`}
      onChange={onChange}
    />
  )
}
