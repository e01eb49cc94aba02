FROM node:24-slim
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --no-audit --no-fund
COPY src src
COPY workers workers
USER node
ENV HOST=0.0.0.0
EXPOSE 3000
CMD ["node", "src/main.ts"]
