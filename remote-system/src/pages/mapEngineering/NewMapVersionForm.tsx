import Form from 'antd/es/form'
import Input from 'antd/es/input'
import { call } from '@iot/shared/client/call'
import {
  MapEngineering,
  MapEngineeringDraft,
} from '@iot/shared/contract/project/mapEngineering.schema'
import { mapEngineeringApi } from '@iot/shared/contract/project/mapEngineering.api'
import { field } from '@iot/shared/ui/field'
import { FormDialog } from '@iot/shared/ui/formDialog'
import { TextItem } from '@iot/shared/ui/items'

type NewMapVersionFormProps = {
  /** The new version copies this one, or starts with the current grouping without it. */
  from?: MapEngineering
  onMade: (row: MapEngineering) => void
  onClose: () => void
}

export default function NewMapVersionForm({ from, onMade, onClose }: NewMapVersionFormProps) {
  return (
    <FormDialog<MapEngineeringDraft>
      title={from ? `复制“${from.name}”为草稿` : '新建地图工程版本'}
      schema={MapEngineering}
      initial={{ name: '', description: '' }}
      draft={`mapVersion/${from?.id ?? ''}`}
      to={mapEngineeringApi.create}
      send={(draft, _, options) =>
        call(mapEngineeringApi.create, { ...draft, fromId: from?.id }, options)
      }
      onSaved={(row) => onMade(row as MapEngineering)}
      onClose={onClose}
    >
      <TextItem
        of={MapEngineeringDraft}
        name="name"
        extra="例如 V1.1；保存后在草稿里调整分组，发布后生效"
        autoFocus
      />
      <Form.Item {...field(MapEngineeringDraft, 'description')}>
        <Input.TextArea rows={3} count={{ show: true, max: 200 }} />
      </Form.Item>
    </FormDialog>
  )
}
