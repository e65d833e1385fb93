import BankOutlined from '@ant-design/icons/BankOutlined'
import { useAtom, useAtomValue } from 'jotai'
import { currentProjectIdAtom, type Project, projectsAtom } from '@iot/shared/session/project'
import { matchesWords } from '@iot/shared/contract/matchesWords'
import { Select } from '@iot/shared/ui/select'
import * as styles from './layout.module.css'

type ProjectOption = { value: number; label: string; fullname: string }
type ProjectOptionOrGroup = ProjectOption | { label: string; options: ProjectOption[] }

const getProjectGroup = ({ fullname }: Project) => fullname?.split('/')[0] ?? ''

export function ProjectSwitcher({ error, loading }: { error?: Error; loading: boolean }) {
  const projects = useAtomValue(projectsAtom)
  const [currentId, setCurrentId] = useAtom(currentProjectIdAtom)
  const groups = [...new Set(projects.map(getProjectGroup))]
  const listGroupOptions = (group: string) =>
    projects
      .filter((project) => getProjectGroup(project) === group)
      .map(({ id, name, fullname = name }) => ({ value: id, label: name, fullname }))

  const currentProject = projects.find(({ id }) => id === currentId)

  return (
    <Select
      className={styles.project}
      variant="borderless"
      aria-label="切换项目"
      prefix={<BankOutlined />}
      popupMatchSelectWidth={360}
      optionRender={({ label }) => <span className={styles.projectName}>{label}</span>}
      showSearch={{
        filterOption: (searchText, option) =>
          !!option && 'fullname' in option && matchesWords(option.fullname, searchText),
      }}
      notFoundContent={projects.length === 0 ? '没有分配给您的项目' : '没有匹配的项目'}
      value={currentId}
      onChange={setCurrentId}
      labelRender={() =>
        error
          ? '项目没有取到'
          : loading
            ? '…'
            : (currentProject?.fullname ?? currentProject?.name ?? '没有项目')
      }
      options={groups.flatMap<ProjectOptionOrGroup>((group) =>
        group ? [{ label: group, options: listGroupOptions(group) }] : listGroupOptions(group),
      )}
    />
  )
}
