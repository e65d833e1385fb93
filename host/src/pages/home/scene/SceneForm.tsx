import { Button, Form, Switch } from 'antd'
import { Scene, SceneDraft } from '@iot/shared/contract/scene.schema'
import { sceneApi } from '@iot/shared/contract/scene.api'
import { devicePermissions } from '@iot/shared/contract/devicePermissions'
import { useCommandRefusalReason } from '@iot/shared/control/sendCommand'
import { field } from '@iot/shared/ui/field'
import { FormDialog, FormGroup, createSaveCall } from '@iot/shared/ui/formDialog'
import { IconPicker } from '@iot/shared/ui/iconPicker'
import { NumberItem, TextItem } from '@iot/shared/ui/items'
import { Can } from '@iot/shared/ui/right'
import { sceneIcons } from '../SceneIcon'
import { SceneRules } from './SceneRules'
import { getSceneDraftKey } from './draftKey'
import { createFieldDescriber } from './describeSceneField'
import { useSceneOptions } from './useSceneOptions'

type SceneFormProps = {
  projectId: number
  scene?: Scene
  /** A new scene gets this position in the list. */
  sort: number
  onSaved: (scene: Scene) => void
  onTry: (scene: Scene) => void
  onClose: () => void
}
const blankScene = {
  name: '',
  icon: 'BulbOutlined',
  status: 'enabled',
  order: 'parallel',
  actions: [],
  triggers: [],
  calendarId: null,
  dayMode: 'ignore',
  dayTypes: [],
  silenceMinutes: 0,
  quietFrom: null,
  quietTo: null,
} as const
const sceneIconChoices = Object.fromEntries(
  Object.entries(sceneIcons).map(([name, { label, Icon }]) => [
    name,
    { label, icon: <Icon aria-hidden /> },
  ]),
)
const sendScene = createSaveCall(
  sceneApi,
  SceneDraft.extend({ projectId: Scene.shape.projectId }),
  SceneDraft,
)

/** Edits a scene without sending commands; only 试运行 sends them. */
export default function SceneForm({ projectId, scene, sort, ...callbacks }: SceneFormProps) {
  const optionsRead = useSceneOptions(projectId)
  const refusal = useCommandRefusalReason()
  const initial = (scene ?? { ...blankScene, sort, projectId }) as Scene

  return (
    <FormDialog<Scene>
      title={scene ? `编辑场景“${scene.name}”` : '新建场景'}
      schema={Scene}
      initial={initial}
      send={sendScene}
      onSaved={(savedScene) => callbacks.onSaved(savedScene as Scene)}
      onClose={callbacks.onClose}
      show={createFieldDescriber(projectId, optionsRead)}
      draft={getSceneDraftKey(projectId)}
      wide
      extra={(isDirty) => (
        <Can
          to={devicePermissions.scene}
          unless={refusal || ((!scene || isDirty) && '保存后可以试运行')}
        >
          <Button onClick={() => scene && callbacks.onTry(scene)}>试运行</Button>
        </Can>
      )}
    >
      <FormGroup title="场景">
        <TextItem of={Scene} name="name" />
        <Form.Item {...field(Scene, 'icon')}>
          <IconPicker own={sceneIconChoices} />
        </Form.Item>
        <NumberItem of={Scene} name="sort" min={1} />
        <Form.Item
          name="status"
          label="启用"
          valuePropName="checked"
          getValueProps={(status) => ({ checked: status === 'enabled' })}
          normalize={(checked) => (checked ? 'enabled' : 'disabled')}
        >
          <Switch aria-label="启用" />
        </Form.Item>
      </FormGroup>
      <SceneRules {...{ projectId, read: optionsRead }} id={scene?.id} />
    </FormDialog>
  )
}
