import Descriptions from 'antd/es/descriptions'
import Drawer from 'antd/es/drawer'
import { mapStatusText } from '@iot/shared/contract/project/mapEngineering'
import { MapEngineering } from '@iot/shared/contract/project/mapEngineering.schema'
import { getFieldTitle } from '@iot/shared/contract/fieldTitle'
import { formatValue } from '@iot/shared/ui/field'
import { ProjectGroupTree } from './ProjectGroupTree'

const fields = ['status', 'description', 'publishTime', 'publishBy'] as const

export default function MapVersionDrawer({
  map,
  onClose,
}: {
  map: MapEngineering
  onClose: () => void
}) {
  const text = { ...map, status: mapStatusText[map.status] }
  return (
    <Drawer open size={560} title={`地图工程 · ${map.name}`} onClose={onClose}>
      <Descriptions
        column={2}
        style={{ marginBottom: 12 }}
        size="small"
        items={fields.map((name) => ({
          key: name,
          label: getFieldTitle(MapEngineering, name),
          children: formatValue(text[name]),
        }))}
      />
      <ProjectGroupTree value={map.groups} readOnly />
    </Drawer>
  )
}
