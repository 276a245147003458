npm install --save-dev ./burrow-analytics-0.1.0.tgz
