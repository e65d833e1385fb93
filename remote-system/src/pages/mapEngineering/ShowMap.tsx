import { Descriptions, Drawer } from 'antd'
import { MapEngineering, mapStatusText } from '@iot/shared/contract/mapEngineering'
import { titleOf } from '@iot/shared/contract/titleOf'
import { shown } from '@iot/shared/ui/field'
import { Arrangement } from './Arrangement'

const fields = ['status', 'description', 'publishTime', 'publishBy'] as const

export default function ShowMap({ map, onClose }: { map: MapEngineering; onClose: () => void }) {
  const text = { ...map, status: mapStatusText[map.status] }
  return (
    <Drawer open size={560} title={`地图工程 · ${map.name}`} onClose={onClose}>
      <Descriptions
        column={2}
        style={{ marginBottom: 12 }}
        size="small"
        items={fields.map((name) => ({
          key: name,
          label: titleOf(MapEngineering, name),
          children: shown(text[name]),
        }))}
      />
      <Arrangement value={map.groups} readOnly />
    </Drawer>
  )
}
