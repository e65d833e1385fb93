import Form from 'antd/es/form'
import Switch from 'antd/es/switch'
import { Scene, SceneDraft } from '@iot/shared/contract/control/scene.schema'
import { sceneApi } from '@iot/shared/contract/control/scene.api'
import { Card } from '@iot/shared/ui/card'
import { field } from '@iot/shared/ui/field'
import { FormDialog, FormGroup, createSaveCall } from '@iot/shared/ui/formDialog'
import { IconPicker } from '@iot/shared/ui/iconPicker'
import { NumberItem, TextItem } from '@iot/shared/ui/items'
import { sceneIcons } from '../SceneIcon'
import { createFieldDescriber } from './describeSceneField'
import { SceneFrame } from './SceneFrame'
import { SceneRules } from './SceneRules'
import { SceneOutlook } from './SceneOutlook'
import { getSceneDraftKey } from './sceneAddress'
import { TrialRun } from './TrialRun'
import { useSceneOptions } from './useSceneOptions'
import * as styles from './scene.module.css'

type SceneFormProps = {
  projectId: number
  scene?: Scene
  /** A new scene gets this position in the list. */
  sort?: number
  onSaved: (scene: Scene) => void
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
export function SceneForm({ projectId, scene, sort, onSaved }: SceneFormProps) {
  const optionsRead = useSceneOptions(projectId)
  const initial = (scene ?? { ...blankScene, sort, projectId }) as Scene

  return (
    <FormDialog<Scene>
      title={scene ? `编辑场景“${scene.name}”` : '新建场景'}
      frame={SceneFrame}
      schema={Scene}
      initial={initial}
      send={sendScene}
      onSaved={(savedScene) => onSaved(savedScene as Scene)}
      show={createFieldDescriber(projectId, optionsRead)}
      draft={getSceneDraftKey(projectId)}
      extra={(isDirty) => <TrialRun {...{ projectId, scene, isDirty }} />}
    >
      <div className={styles.page}>
        <Card>
          <FormGroup title="场景">
            <TextItem of={Scene} name="name" />
            <Form.Item {...field(Scene, 'icon')}>
              <IconPicker own={sceneIconChoices} />
            </Form.Item>
            <NumberItem of={Scene} name="sort" />
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
          <SceneRules {...{ projectId, read: optionsRead }} />
        </Card>
        <SceneOutlook {...{ projectId, read: optionsRead }} id={scene?.id} />
      </div>
    </FormDialog>
  )
}
