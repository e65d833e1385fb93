import Form from 'antd/es/form'
import { useMemo } from 'react'
import { serverNow } from '@iot/shared/client/serverClock'
import { ProjectDraft } from '@iot/shared/contract/project/managedProject.schema'
import { matchesWords } from '@iot/shared/contract/matchesWords'
import { platformTimeZone } from '@iot/shared/contract/timeZone'
import { field } from '@iot/shared/ui/field'
import { Select } from '@iot/shared/ui/select'

/** `德国时间`, `GMT+01:00`: what a zone is called, or how far it is off, at present. */
const formatZoneName = (timeZone: string, timeZoneName: 'shortGeneric' | 'longOffset') =>
  new Intl.DateTimeFormat('zh-CN', { timeZone, timeZoneName })
    .formatToParts(serverNow())
    .find(({ type }) => type === 'timeZoneName')?.value ?? ''

/** @param storedTimeZone stored time zone, which this browser may list under another name */
function listTimeZones(storedTimeZone: string | undefined) {
  const zoneNames = new Set([platformTimeZone, ...(storedTimeZone ? [storedTimeZone] : [])])
  for (const name of Intl.supportedValuesOf('timeZone')) zoneNames.add(name)
  zoneNames.add('UTC')
  return [...zoneNames].map((value) => ({
    value,
    label: [
      value,
      formatZoneName(value, 'longOffset').replace('GMT', 'UTC'),
      // Operators search for this name, which browsers do not give to the zone.
      value === platformTimeZone ? '北京时间' : formatZoneName(value, 'shortGeneric'),
    ].join(' · '),
  }))
}

/** Selects the time zone in which all times of the project are shown. */
export function TimeZoneItem({ storedTimeZone }: { storedTimeZone?: string }) {
  const options = useMemo(() => listTimeZones(storedTimeZone), [storedTimeZone])
  return (
    <Form.Item
      {...field(ProjectDraft, 'timeZone')}
      required
      extra="列表、定时、能耗和导出的时间都按它"
    >
      <Select
        showSearch={{
          filterOption: (searchText, option) => !!option && matchesWords(option.label, searchText),
        }}
        placeholder="请选择时区"
        popupMatchSelectWidth={400}
        options={options}
      />
    </Form.Item>
  )
}
