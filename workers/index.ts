// For programs that embed the server and do its jobs themselves (docs/embedding.md). It loads BullMQ and nodemailer.
export { Jobs, Workers } from "./Workers.ts"
