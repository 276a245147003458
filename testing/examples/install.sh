npm install --save-dev ./burrow-0.1.0.tgz
