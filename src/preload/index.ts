/** Hands the page's message port over to the main process, and tells the page that it is in the desktop app. */
import { contextBridge, ipcRenderer } from 'electron'

contextBridge.exposeInMainWorld('pointsman', Object.freeze({ shell: 'desktop' }))

window.addEventListener('message', (event: MessageEvent<unknown>) => {
  if (event.source !== window || event.data !== 'pointsman:port') return
  ipcRenderer.postMessage('pointsman:port', null, [...event.ports])
})
