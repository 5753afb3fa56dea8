/**
 * A stand-in for the module `electron`, for tests only: windows are pages of the system's Chromium. It is not Electron
 * and proves nothing about Electron's own ports, sandbox, isolation, scheme privileges, tray, fuses, updater, packaging.
 */
import './remote.ts'

export { app, powerMonitor } from './app.ts'
export { clipboard, dialog, Notification, nativeTheme, screen, shell } from './desktop-services.ts'
export { Menu, nativeImage, Tray } from './menus.ts'
export { ipcMain } from './ports.ts'
export { protocol, session } from './protocol.ts'
export { utilityProcess } from './utility-process.ts'
export { BrowserWindow } from './window.ts'
