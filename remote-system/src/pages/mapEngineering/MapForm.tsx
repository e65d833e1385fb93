import Form from 'antd/es/form'
import { call } from '@iot/shared/client/call'
import {
  MapEngineering,
  MapEngineeringChange,
  type MapGroup,
} from '@iot/shared/contract/project/mapEngineering.schema'
import { mapEngineeringApi } from '@iot/shared/contract/project/mapEngineering.api'
import { field } from '@iot/shared/ui/field'
import { FormDialog, FormGroup, fullRowStyle } from '@iot/shared/ui/formDialog'
import { TextItem } from '@iot/shared/ui/items'
import { ProjectGroupTree } from './ProjectGroupTree'

type Draft = Pick<MapEngineering, 'name' | 'description' | 'groups'>
type MapFormProps = { map: MapEngineering; onSaved: (row: unknown) => void; onClose: () => void }

const formatFieldValue = (name: string, value: unknown) =>
  name === 'groups' &&
  (value as MapGroup[]).map(({ name, projectIds }) => `${name} ${projectIds.length} 个`).join('；')

/** Edits the groups of a draft version. */
export default function MapForm({ map, ...rest }: MapFormProps) {
  const { id, version, name, description, groups } = map
  return (
    <FormDialog<Draft>
      title={`地图工程 · ${map.name}`}
      wide
      schema={MapEngineering}
      initial={{ id, version, name, description, groups }}
      show={formatFieldValue}
      draft="mapEngineering"
      to={mapEngineeringApi.update}
      send={({ name, description, groups }, revision, options) =>
        call(
          mapEngineeringApi.update,
          { name, description, groups, id, version, ...revision },
          options,
        )
      }
      {...rest}
    >
      <FormGroup title="版本">
        <TextItem of={MapEngineeringChange} name="name" />
        <TextItem of={MapEngineeringChange} name="description" />
      </FormGroup>
      <FormGroup title="分组和项目">
        <Form.Item {...field(MapEngineeringChange, 'groups')} label={null} style={fullRowStyle}>
          <ProjectGroupTree />
        </Form.Item>
      </FormGroup>
    </FormDialog>
  )
}
